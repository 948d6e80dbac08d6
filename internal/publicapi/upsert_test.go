package publicapi_test

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"parley"
	"parley/internal/apitest"
	"parley/internal/store"
)

// TestUpsertKeeps posts existing contacts, and requires that exactly the fields
// without effect are named, as they were sent.
func TestUpsertKeeps(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		full := `"email":"info@shop.example","phoneNumber":"+49 151 7000001","name":"Ann","shopName":"S","avatarUrl":"https://a.example/a.png"`
		ann := w.Contact(`{"identifier":"a",` + full + `}`)
		w.Contact(`{"identifier":"b"}`)
		position := ""
		w.events(&position)
		for _, c := range []struct{ body, ignored, changed string }{
			{`{"identifier":"c","email":"info@shop.example"}`, "identifier", ""},
			{`{"identifier":"c","phoneNumber":"0049 (151) 700 00 01"}`, "identifier", ""},
			{`{"identifier":"c","email":"info@shop.example","shopName":"T"}`, "identifier", "shopName"},
			{`{"identifier":"a","email":"info@shop.example","shopName":"S"}`, "", "shopName"},
			{`{"identifier":"","email":"info@shop.example"}`, "identifier", ""},
			{`{"identifier":"  ","email":"info@shop.example"}`, "identifier", ""},
			{`{"identifier":"a","email":"","phoneNumber":"","name":"","shopName":"","avatarUrl":""}`, "avatarUrl, email, name, phoneNumber, shopName", ""},
			{`{"identifier":"a","phoneNumber":null,"avatarUrl":null,"name":" \n"}`, "avatarUrl, name, phoneNumber", ""},
			{`{"identifier":"a","colour":"red","email":"","name":"Ann B"}`, "colour, email", "name"},
			{`{"identifier":"a","name":"Ann"}`, "", "name"},
			{`{"identifier":"a",` + full + `}`, "", ""},
		} {
			got := w.Post("/v1/public/contacts", c.body).Want(200).Is("id", `"`+ann+`"`, "identifier", `"a"`, "email", `"info@shop.example"`,
				"phoneNumber", `"+491517000001"`, "avatarUrl", `"https://a.example/a.png"`)
			if ignored := got.Header.Get("Parley-Ignored"); ignored != c.ignored {
				t.Errorf("%s: Parley-Ignored is %q, want %q", c.body, ignored, c.ignored)
			}
			want := ""
			if c.changed != "" {
				want = "contact.updated " + c.changed
			}
			if told := strings.Join(w.events(&position), "; "); told != want {
				t.Errorf("%s: the events are %q, want %q", c.body, told, want)
			}
		}
		// What belongs to two contacts identifies neither; a contact without an
		// identifier takes one.
		w.Post("/v1/public/contacts", `{"identifier":"b","email":"info@shop.example"}`).Want(409)
		bare := w.Contact(`{"email":"bare@shop.example"}`)
		w.Post("/v1/public/contacts", `{"identifier":"d","email":"bare@shop.example"}`).Want(200).Is("id", `"`+bare+`"`, "identifier", `"d"`)
		// PATCH clears.
		w.Patch("/v1/public/contacts/"+ann, `{"identifier":"","email":"","phoneNumber":"","name":" ","avatarUrl":""}`).Want(200).
			Is("identifier", `""`, "email", `""`, "phoneNumber", "null", "name", `""`, "avatarUrl", "null")
	})
}

// TestCompanyUpsertKeeps is TestUpsertKeeps for companies.
func TestCompanyUpsertKeeps(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Post("/v1/public/companies", `{"name":"Acme","externalId":"a","website":"acme.example","notes":"N"}`).Want(201)
		for body, ignored := range map[string]string{
			`{"name":"Acme","externalId":"a","website":null,"industry":null,"notes":"  "}`: "notes, website",
			`{"name":"Acme","externalId":"a","website":"acme.example","industry":""}`:      "",
		} {
			got := w.Post("/v1/public/companies", body).Want(200).Is("website", `"acme.example"`, "industry", "null", "notes", `"N"`)
			if got.Header.Get("Parley-Ignored") != ignored {
				t.Errorf("%s: Parley-Ignored is %q, want %q", body, got.Header.Get("Parley-Ignored"), ignored)
			}
		}
	})
}

// TestTheAliasIsNamed sends every fault of companyId under both of its names to
// each route: errors and Parley-Ignored name the one that was sent.
func TestTheAliasIsNamed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann, company := w.Contact(`{"identifier":"ann"}`), w.Post("/v1/public/companies", `{"name":"Acme"}`).Want(201).Text("id")
		const unknown = "01a1fb68-2f6a-7000-87d8-89526ae1d0cd"
		send := map[string]func(body string) apitest.Answer{
			"POST": func(body string) apitest.Answer {
				return w.Post("/v1/public/contacts", `{"identifier":"ann",`+body+`}`)
			},
			"PATCH": func(body string) apitest.Answer { return w.Patch("/v1/public/contacts/"+ann, `{`+body+`}`) },
		}
		for method, send := range send {
			for _, name := range []string{"companyId", "storeId"} {
				for value, want := range map[string]struct {
					status  int
					message string
				}{
					`"` + unknown + `"`: {404, ": no such company in this workspace"},
					`"x"`:               {400, ": must be a UUID, or null"},
					`5`:                 {400, ": must be a UUID, or null"},
					`[]`:                {400, ": must be a UUID, or null"},
				} {
					send(`"`+name+`":`+value).Refused(want.status, name+want.message)
				}
				send(`"`+name+`":"`+company+`"`).Want(200).Is("companyId", `"`+company+`"`)
				send(`"`+name+`":null`).Want(200).Is("companyId", "null")
				t.Logf("%s %s is named", method, name)
			}
		}
		for i, body := range []string{`"storeId":"` + company + `"`, `"companyId":"` + unknown + `"`, `"storeId":null,"companyId":null`} {
			got := w.Post("/v1/public/contacts", fmt.Sprintf(`{"identifier":"new %d",%s}`, i, body)).Want(201).Is("companyId", "null")
			if ignored := got.Header.Get("Parley-Ignored"); ignored != []string{"storeId", "companyId", "companyId, storeId"}[i] {
				t.Errorf("%s: Parley-Ignored is %q", body, ignored)
			}
		}
	})
}

// TestReadModifyWrite reads a contact, changes one of the two names of its
// company and writes everything back.
func TestReadModifyWrite(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		company := func(name string) string {
			return w.Post("/v1/public/companies", `{"name":"`+name+`"}`).Want(201).Text("id")
		}
		acme, beta, gamma := company("Acme"), company("Beta"), company("Gamma")
		id := w.Contact(`{"name":"Ann"}`)
		path := "/v1/public/contacts/" + id
		both := func(companyID, storeID string) apitest.Answer {
			return w.Patch(path, fmt.Sprintf(`{"companyId":%s,"storeId":%s}`, companyID, storeID))
		}
		text := func(s string) string { return `"` + s + `"` }
		both(text(acme), "null").Want(200).Is("companyId", text(acme))
		both(text(acme), text(beta)).Want(200).Is("companyId", text(beta))
		both(text(gamma), text(beta)).Want(200).Is("companyId", text(gamma), "storeId", text(gamma))
		both(text(acme), text(beta)).Refused(400, "storeId: must be the same as companyId, whose old name it is")
		both("null", text(gamma)).Want(200).Is("companyId", "null")
		both(text("01a1fb68-2f6a-7000-87d8-89526ae1d0cd"), "null").Refused(404, "companyId: no such company in this workspace")
		both("null", text("01a1fb68-2f6a-7000-87d8-89526ae1d0cd")).Refused(404, "storeId: no such company in this workspace")
		both("null", "null").Want(200).Is("companyId", "null")
		whole := strings.Replace(string(w.Get(path).Want(200).Body), `"companyId":null`, `"companyId":"`+acme+`"`, 1)
		w.Patch(path, whole).Want(200).Is("companyId", text(acme), "name", `"Ann"`)
	})
}

// TestPhoneSpellings posts one number in many spellings.
func TestPhoneSpellings(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.Contact(`{"phoneNumber":"  +4915199  88 777"}`)
		position := ""
		w.events(&position)
		for _, phone := range []string{
			"+4915199 88777", "4915199 88777", "+49.151.99/88777", "0049 151 9988777", "+49 (0) 151 9988777", "+49 151\u00a099\u201188777", "\u202a+491519988777\u202c",
		} {
			w.Post("/v1/public/contacts", `{"phoneNumber":"`+phone+`"}`).Want(200).Is("id", `"`+id+`"`, "phoneNumber", `"+491519988777"`)
			w.Patch("/v1/public/contacts/"+id, `{"phoneNumber":"`+phone+`"}`).Want(200).Is("phoneNumber", `"+491519988777"`)
		}
		if told := w.events(&position); len(told) != 0 {
			t.Errorf("another spelling makes the events %v", told)
		}
		for _, phone := range []string{"+39 06 1234567", "+39 (0)6 1234567", "0039 (06) 1234567"} { // where the zero stays
			w.Post("/v1/public/contacts", `{"phoneNumber":"`+phone+`"}`).Is("phoneNumber", `"+39061234567"`)
		}
		for _, phone := range []string{"0151 9988777", "(0)151 9988777", "+0049 151 9988777", "00", "0000491519988777", "+49 151 x", "１２３４５６７"} {
			w.Post("/v1/public/contacts", `{"phoneNumber":"`+phone+`"}`).Want(400)
		}
	})
}

// TestIDsOfBefore has ids with surrounding blanks, from earlier versions and
// tokens: they are found as they are, can be written back, and are not
// duplicated.
func TestIDsOfBefore(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i, blank := range []string{" 4711 ", "4711\u00a0", "\u30004711", "47\n11 ", "\u2028x"} {
			id, company := w.olderRecords(blank, "")
			line, body := quoted(parley.OneLine(blank)), `{"name":"N`+fmt.Sprint(i)+`",`
			for _, r := range []struct{ list, name, id string }{{"contacts", "identifier", id}, {"companies", "externalId", company}} {
				path := "/v1/public/" + r.list
				if stored := w.Get(path + "/" + r.id).Want(200); r.list == "contacts" {
					w.Patch(path+"/"+r.id, string(stored.Body)).Want(200).Is(r.name, quoted(blank), "updatedAt", quoted(stored.Text("updatedAt")))
				}
				w.Patch(path+"/"+r.id, body+`"`+r.name+`":`+quoted(blank)+`}`).Want(200).Is(r.name, quoted(blank))
				w.Post(path, body+`"`+r.name+`":`+quoted(blank)+`}`).Want(200).Is("id", `"`+r.id+`"`, r.name, quoted(blank))
				query := path + "?" + r.name + "=" + url.QueryEscape(blank)
				if got := w.Get(query).Want(200).Is("data.0.id", `"`+r.id+`"`); len(got.IDs()) != 1 {
					t.Errorf("%s finds %s", query, got.Body)
				}
				// Other blanks are trimmed, and lead to the id without any.
				other := w.Post(path, body+`"`+r.name+`":`+quoted("\t"+blank+"\t")+`}`).Is(r.name, line).Text("id")
				if other == r.id {
					t.Errorf("%q leads to %q", "\t"+blank+"\t", blank)
				}
				w.Get(path+"?"+r.name+"="+url.QueryEscape("\t"+blank)).Want(200).Is("data.0.id", `"`+other+`"`)
				w.Patch(path+"/"+other, `{"`+r.name+`":`+quoted(blank)+`}`).Want(409)
				w.Patch(path+"/"+r.id, `{"`+r.name+`":`+quoted(blank+"\t")+`}`).Want(409) // line is the other's
			}
		}
	})
}

// TestAddressesOfBefore writes back addresses that earlier versions accepted
// from tokens. They are not accepted for other contacts.
func TestAddressesOfBefore(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other := w.Contact(`{"name":"Other"}`)
		for _, email := range []string{"u@my_host.local", "u@[192.0.2.1]", strings.Repeat("a", 70) + "@b.example", "so\u00adft@b.example"} {
			id, _ := w.olderRecords(email, email)
			path := "/v1/public/contacts/" + id
			stored := w.Get(path).Want(200).Is("email", quoted(email))
			w.Patch(path, string(stored.Body)).Want(200).Is("email", quoted(email), "updatedAt", quoted(stored.Text("updatedAt")))
			w.Post("/v1/public/contacts", `{"email":`+quoted(email)+`,"shopName":"S"}`).Want(200).Is("id", `"`+id+`"`, "email", quoted(email))
			const wrong = "email: must be an e-mail address"
			w.Patch(path, `{"email":`+quoted("x"+email)+`}`).Refused(400, wrong)
			w.Post("/v1/public/contacts", `{"email":`+quoted("x"+email)+`}`).Refused(400, wrong)
			w.Post("/v1/public/contacts", `{"identifier":`+quoted(email)+`,"email":`+quoted("x"+email)+`}`).Refused(400, wrong)
			w.Patch("/v1/public/contacts/"+other, `{"email":`+quoted(email)+`}`).Want(409)
			w.Patch(path, `{"email":""}`).Want(200).Is("email", `""`)
			w.Patch(path, `{"email":`+quoted(email)+`}`).Refused(400, wrong)
		}
	})
}

// olderRecords stores a contact and a company like an earlier version.
func (w *world) olderRecords(identifier, email string) (contact, company string) {
	w.T.Helper()
	ids := parley.NewIDs(nil)
	k := parley.Contact{ID: ids.New(apitest.Start()), Identifier: identifier, Email: email, CreatedAt: apitest.Start(), UpdatedAt: apitest.Start(), LastActivityAt: apitest.Start()}
	c := parley.Company{ID: ids.New(apitest.Start()), Name: "Of before", ExternalID: identifier, CreatedAt: apitest.Start(), UpdatedAt: apitest.Start()}
	if err := w.Store.Write(w.T.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
		_, err := tx.InsertCompany(w.Home.Workspace.ID, &c)
		return errors.Join(err, tx.InsertContact(w.Home.Workspace.ID, &k))
	}); err != nil {
		w.T.Fatal(err)
	}
	return k.ID.String(), c.ID.String()
}

// TestNamesAreOneLine trims names, and treats blank ones as none.
func TestNamesAreOneLine(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Post("/v1/public/contacts", `{"name":" Ann\r\nLee\u2028\t","shopName":"   ","identifier":" u 1 "}`).Want(201).
			Is("name", `"Ann Lee"`, "shopName", `""`, "identifier", `"u 1"`)
		w.Post("/v1/public/contacts", `{"identifier":"\tu 1\u00a0"}`).Want(200).Is("name", `"Ann Lee"`)
		w.Get("/v1/public/contacts?identifier=%20u%201%20").Want(200).Is("data.0.name", `"Ann Lee"`)
		w.Post("/v1/public/contacts", `{"name":"\n\u0085"}`).Want(201).Is("name", `""`)
		w.Post("/v1/public/companies", `{"name":"A\nB ","website":" ","industry":"","notes":"\n","externalId":" "}`).Want(201).
			Is("name", `"A B"`, "website", "null", "industry", "null", "notes", "null", "externalId", "null")
		for _, path := range []string{"contacts?email", "contacts?identifier", "companies?externalId", "conversations?label"} {
			_, name, _ := strings.Cut(path, "?")
			for _, blank := range []string{"", "%20", "%0A%C2%A0"} {
				if got := w.Get("/v1/public/" + path + "=" + blank).Want(400).Text("error"); !strings.HasPrefix(got, name+": must be 1 to ") {
					t.Errorf("%s=%s: %s", path, blank, got)
				}
			}
		}
		w.Post("/v1/public/companies", `{"name":"\u0001"}`).Refused(400, "name: must be a string of 1 to 255 characters, not blank")
		company := w.Post("/v1/public/companies", `{"name":"C","notes":" a\nb "}`).Want(201).Is("notes", `" a\nb "`).Text("id")
		w.Patch("/v1/public/companies/"+company, `{"notes":"","website":"","externalId":""}`).Want(200).Is("notes", "null", "website", "null", "externalId", "null")
		w.Patch("/v1/public/companies/"+company, `{"name":"\u0001"}`).Refused(400, "name: must be a string of 1 to 255 characters, not blank")
	})
}

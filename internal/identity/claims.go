package identity

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"parley"
)

const (
	maxPhone      = 40   // characters of a phone number, as in the public API
	maxURL        = 2048 // characters of an address
	maxAttributes = 50
	maxAttrName   = 100  // characters
	maxAttrText   = 1000 // characters of an attribute's text
)

func (a *attempt) checkEmail() *Rejected {
	if raw, there := a.body["email_verified"]; there && !slices.Contains([]string{"true", "false", `"true"`, `"false"`, "null"}, string(raw)) {
		return refuse(BadProfile, "email_verified must be true or false")
	}
	if !a.body.given("email") {
		return nil
	}
	if _, ok := a.body.text("email"); !ok {
		return refuse(BadProfile, "email must be a string")
	}
	return nil
}

func (a *attempt) checkProfile() *Rejected {
	if a.body.given("name") {
		if name, ok := a.body.text("name"); !ok || utf8.RuneCountInString(name) > parley.MaxName {
			return refuse(BadProfile, "name must be a string of at most %d characters", parley.MaxName)
		}
	}
	if a.body.given("phone") {
		phone, ok := a.body.text("phone")
		if ok && strings.TrimSpace(phone) != "" {
			_, ok = parley.ParsePhone(phone)
		}
		if !ok || len(phone) > maxPhone {
			return refuse(BadProfile, "phone must %s", parley.PhoneRule)
		}
	}
	return nil
}

// checkPicture refuses addresses that a page would run as a script.
func (a *attempt) checkPicture() *Rejected {
	if !a.body.given("picture") {
		return nil
	}
	if picture, ok := a.body.text("picture"); !ok || strings.TrimSpace(picture) != "" && !webAddress(strings.TrimSpace(picture)) {
		return refuse(BadProfile, "picture must be an http or https address of at most %d characters", maxURL)
	}
	return nil
}

func webAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && utf8.RuneCountInString(s) <= maxURL && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// An orgClaim is the organization in a token, in one form for all claims that
// can express it. Absent parts are nil.
type orgClaim struct {
	from              string // the claim
	null              bool
	id, name, website json.RawMessage
}

// organization reads the organization: the claim organization as an object or
// an id, else the claims of other products, in this order: org_id with org_name
// (Auth0, WorkOS), company (Intercom), o (Clerk). These count only in the form
// that those products use; null means absent.
func (o object) organization() (orgClaim, bool) {
	if raw, there := o["organization"]; there {
		c := orgClaim{from: "organization", null: string(raw) == "null", id: raw}
		if parts := members(raw); parts != nil {
			c.id, c.name, c.website = parts["id"], parts["name"], parts["website"]
		}
		return c, true
	}
	if o.given("org_id") {
		return orgClaim{from: "org_id", id: o["org_id"], name: o["org_name"]}, true
	}
	if parts := members(o["company"]); parts != nil {
		c := orgClaim{from: "company", id: parts["id"], name: parts["name"], website: parts["website"]}
		if !parts.given("id") {
			c.id = parts["company_id"]
		}
		return c, true
	}
	if parts := members(o["o"]); parts != nil {
		return orgClaim{from: "o", id: parts["id"], name: parts["slg"]}, true
	}
	return orgClaim{}, false
}

func (a *attempt) checkOrganization() *Rejected {
	c, there := a.body.organization()
	if !there || c.null {
		return nil
	}
	if id, ok := idOf(c.id); !ok || !fits(id, parley.MaxName) || !oneLine(strings.TrimSpace(id)) {
		return refuse(BadOrg, "%s must name your own id of the organization: a string or an integer of 1 to %d characters, not blank, on one line",
			c.from, parley.MaxName)
	}
	if c.name != nil && string(c.name) != "null" {
		if name, ok := textOf(c.name); !ok || utf8.RuneCountInString(name) > parley.MaxName {
			return refuse(BadOrg, "the name of %s must be a string of at most %d characters", c.from, parley.MaxName)
		}
	}
	if c.website != nil && string(c.website) != "null" {
		if website, ok := textOf(c.website); !ok || !site(strings.TrimSpace(website)) {
			return refuse(BadOrg, "the website of %s must be a domain or an http or https address of at most %d characters", c.from, maxURL)
		}
	}
	return nil
}

// site reports whether a text is an address, a domain, or empty.
func site(s string) bool {
	u, err := url.Parse(s)
	return err == nil && utf8.RuneCountInString(s) <= maxURL && (u.Scheme == "" || webAddress(s))
}

func (a *attempt) checkAttributes() *Rejected {
	if !a.body.given("attributes") {
		return nil
	}
	all := members(a.body["attributes"])
	if all == nil || len(all) > maxAttributes {
		return refuse(BadAttrs, "attributes must be an object of at most %d members", maxAttributes)
	}
	for name, value := range all {
		if !fits(name, maxAttrName) {
			return refuse(BadAttrs, "the name of an attribute must have 1 to %d characters, not blank", maxAttrName)
		}
		if !scalar(value) {
			return refuse(BadAttrs, "attributes.%s must be a string of at most %d characters, a number that fits a double, true, false or null",
				shown(json.RawMessage(name)), maxAttrText)
		}
	}
	return nil
}

// scalar reports whether a value is neither an object nor an array, not too
// long, and not a number that clients could not read.
func scalar(raw json.RawMessage) bool {
	if s, ok := textOf(raw); ok {
		return utf8.RuneCountInString(s) <= maxAttrText
	}
	if raw[0] == '{' || raw[0] == '[' {
		return false
	}
	var value any
	return json.Unmarshal(raw, &value) == nil
}

// emailVerified reports whether somebody verified the address. If the token
// does not say, only the workspace's own secret counts as verification, because
// then the company's server chose the address. A sign-in service means "not
// verified" by it (OpenID Connect Core, section 5.1), and may let people enter
// any address. Some services write the two values as strings.
func (a *attempt) emailVerified() bool {
	raw, there := a.body["email_verified"]
	if !there {
		return a.key.Kind == parley.SecretKey
	}
	return string(raw) == "true" || string(raw) == `"true"`
}

// claims returns the contents of the token. The checks have passed, so every
// claim that is present is valid.
func (a *attempt) claims() Claims {
	trimmed := func(name string) string {
		text, _ := a.body.text(name)
		return strings.TrimSpace(text)
	}
	c := Claims{
		Email: trimmed("email"), Name: parley.OneLine(trimmed("name")), Phone: trimmed("phone"), Picture: trimmed("picture"),
		EmailVerified: a.emailVerified(),
		KID:           a.key.KID,
	}
	if !parley.ValidEmail(c.Email) {
		c.Email = "" // as if nobody verified it; some services vouch for addresses that are invalid here
	}
	c.Subject, _ = idOf(a.body["sub"]) // to the letter (RFC 7519, section 4.1.2): a blank may tell two people apart
	c.ExpiresAt, _ = seconds(a.body["exp"])
	if a.body.given("iat") {
		c.IssuedAt, _ = seconds(a.body["iat"])
	}
	if org, there := a.body.organization(); there {
		c.Organization = organizationOf(org)
	}
	if all := members(a.body["attributes"]); len(all) > 0 {
		c.Attributes = compact(all)
	}
	return c
}

func organizationOf(c orgClaim) parley.Optional[Organization] {
	if c.null {
		return parley.Null[Organization]()
	}
	trimmed := func(raw json.RawMessage) string {
		text, _ := textOf(raw)
		return strings.TrimSpace(text)
	}
	id, _ := idOf(c.id)
	return parley.Some(Organization{ID: strings.TrimSpace(id), Name: parley.OneLine(trimmed(c.name)), Website: trimmed(c.website)})
}

// compact writes an object with sorted names.
func compact(all object) parley.Attributes {
	var b bytes.Buffer
	for i, name := range slices.Sorted(maps.Keys(all)) {
		b.WriteByte("{,"[min(i, 1)])
		quoted, _ := json.Marshal(name) // a string can always be encoded
		b.Write(quoted)
		b.WriteByte(':')
		b.Write(bytes.TrimSpace(all[name]))
	}
	b.WriteByte('}')
	return parley.Attributes(b.String())
}

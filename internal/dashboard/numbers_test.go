package dashboard_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

func TestNumbers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const number = "/dashboard/numbers/{number}"
		changed := []string{"number.updated status,enabled"}
		play(t, w, map[string]string{}, []step{
			{name: "add", path: "/dashboard/numbers", body: `{"phone":"+49 30 555001","driver":"sandbox"}`, status: 201, save: "number",
				is: []string{"phone", `"+4930555001"`, "status", `"connected"`, "paired", "true"}, events: []string{"inbox.created", "number.created"}},
			{name: "add again", path: "/dashboard/numbers", body: `{"phone":"4930555001","driver":"sandbox"}`, status: 200, is: []string{"id", `"{number}"`}},
			{name: "add as another kind", path: "/dashboard/numbers", body: `{"phone":"4930555001","driver":"whatsapp"}`, status: 409,
				error: "phone: the workspace has this number already, with the driver sandbox"},
			{name: "bad", path: "/dashboard/numbers", body: `{"phone":"0","driver":"fax"}`, status: 400,
				error: "phone: must " + parley.PhoneRule + "; driver: must be one of sandbox, whatsapp"},
			{name: "disconnect", path: number + "/disconnect", status: 200, is: []string{"status", `"disconnected"`, "enabled", "false"}, events: changed},
			{name: "disconnect again", path: number + "/disconnect", status: 200},
			{name: "reconnect", path: number + "/reconnect", status: 200, is: []string{"status", `"connected"`}, events: changed},
			{name: "log out of the sandbox", path: number + "/logout", status: 400, error: "a number of the driver sandbox is not paired"},
			{name: "pair with the sandbox", path: number + "/pairing", status: 400, error: "a number of the driver sandbox is not paired"},
			{name: "no pairing", method: "GET", path: number + "/pairing", status: 404, error: "no such pairing in this workspace"},
			{name: "no budget", method: "GET", path: number + "/budgets", status: 200,
				is: []string{"data.0", `{"budget":"groupsPerHour","default":null,"limit":null,"used":0}`}},
			{name: "set budgets", method: "PATCH", path: number + "/budgets", body: `{"groupsPerHour":3,"groupsPerDay":null}`, status: 200,
				is: []string{"data.0.limit", "3", "data.1.limit", "null"}},
			{name: "bad budgets", method: "PATCH", path: number + "/budgets", body: `{"groupsPerHour":-1,"sendsPerMinute":100001}`, status: 400,
				error: "groupsPerHour: must be an integer from 0 to 100000, or null; sendsPerMinute: must be an integer from 0 to 100000, or null"},
			{name: "add a real one", path: "/dashboard/numbers", body: `{"phone":"4930555002","driver":"whatsapp"}`, status: 201, save: "number",
				is: []string{"status", `"disconnected"`, "paired", "false"}, events: []string{"inbox.created", "number.created"}},
			{name: "usual budgets", method: "GET", path: number + "/budgets", status: 200,
				is: []string{"data.0", `{"budget":"groupsPerHour","default":5,"limit":5,"used":0}`}},
			{name: "reconnect before it is paired", path: number + "/reconnect", status: 409, error: "the number +4930555002 must be paired first"},
			{name: "pair in a wrong way", path: number + "/pairing", body: `{"by":"voice"}`, status: 400, error: "by: must be one of qr, code"},
			{name: "pair", path: number + "/pairing", status: 202, is: []string{"kind", `"starting"`, "by", `"qr"`}, events: []string{"number.updated status"}},
		})
		for _, path := range []string{"disconnect", "reconnect", "logout", "pairing"} {
			w.Post("/v1/dashboard/numbers/"+unknownID+"/"+path, "").Refused(404, "no such number in this workspace")
		}
		w.Delete("/v1/dashboard/numbers/" + unknownID + "/pairing").Want(404)
		w.Get("/v1/dashboard/numbers/" + unknownID + "/budgets").Want(404)
		w.Patch("/v1/dashboard/numbers/"+unknownID+"/budgets", "{}").Want(404)
	})
}

// TestPairing pairs a number like the page: with the signals of the stream.
func TestPairing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path := "/v1/dashboard/numbers/" + w.Post("/v1/dashboard/numbers", `{"phone":"4930555002","driver":"whatsapp"}`).Want(201).Text("id")
		_, token := w.member(parley.Agent)
		board := w.follow(t, w.Serve(t), "/v1/dashboard/events?after="+w.Get("/v1/dashboard/state").Want(200).Text("position"), string(token))
		w.Contact(`{"name":"Ann"}`)
		board.Is("contact.created") // the stream follows
		w.Post(path+"/pairing", `{"by":"qr"}`).Want(202)
		for kind := ""; kind != "qr_code"; {
			data := pairing(board)
			if strings.Contains(data, "secret") {
				t.Fatalf("an agent hears the code: %s", data)
			}
			kind = signalKind(t, data)
		}
		step := w.Get(path+"/pairing").Want(200).Is("kind", `"qr_code"`, "reason", `""`)
		if step.Count("matrix") < 21 || !strings.Contains(step.Text("code"), "secret") {
			t.Errorf("the step is %s", step.Body)
		}
		w.must(w.driver.Scan(t.Context(), chatapp.PairStep{Kind: chatapp.Paired, Phone: "4930555002"}))
		for kind := ""; kind != "paired"; {
			kind = signalKind(t, pairing(board))
		}
		w.Post(path+"/pairing", "").Refused(409, "the number is paired already; log it out first")
		w.must(w.Numbers.TendNumbers(t.Context()))
		if status := w.Get("/v1/public/chatapp/numbers").Want(200).Text("data.0.status"); status != "connected" {
			t.Errorf("the number is %s", status)
		}
		for err, status := range map[error]int{errors.New("no"): 502, chatapp.ErrTimeout: 504} {
			w.driver.Before(chatapptest.Unpair, chatapptest.Fail(err))
			w.Post(path+"/logout", "").Want(status)
		}
		w.Post(path+"/logout", "").Want(200).Is("status", `"logged_out"`, "paired", "false")
	})
}

// pairing returns the next signal of a pairing and skips events of the log.
func pairing(s *apitest.Stream) string {
	s.T.Helper()
	for {
		switch kind, data := s.Next(); kind {
		case "pairing":
			return data
		case "":
			s.T.Fatal("the stream ended")
		}
	}
}

func (w *world) must(err error) {
	w.T.Helper()
	if err != nil {
		w.T.Fatal(err)
	}
}

func signalKind(t *testing.T, data string) string {
	t.Helper()
	var signal struct{ Kind string }
	if err := json.Unmarshal([]byte(data), &signal); err != nil {
		t.Fatal(err)
	}
	return signal.Kind
}

// TestCodesAreSealed searches everything stored for the code of a pairing.
func TestCodesAreSealed(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, o)
		path := "/v1/dashboard/numbers/" + w.Post("/v1/dashboard/numbers", `{"phone":"4930555002","driver":"whatsapp"}`).Want(201).Text("id")
		w.Post(path+"/pairing", "").Want(202)
		code := ""
		for deadline := time.Now().Add(20 * time.Second); code == "" && time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			code = w.Get(path + "/pairing").Want(200).Text("code")
		}
		kept := dump(t, o)
		if code == "" || strings.Contains(kept, code) || !strings.Contains(kept, "qr_code") {
			t.Errorf("the store holds the code %q", code)
		}
	})
}

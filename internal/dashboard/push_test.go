package dashboard_test

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"crypto/tls"

	"parley"
	"parley/internal/apitest"
	"parley/internal/outward"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

const nobody = "0193480f-2c4a-7d1e-8f00-3a5b9c2d1e01"

func pushSamples() map[string]func() apitest.Sample {
	sample := func(path, body string, status int) func() apitest.Sample {
		return func() apitest.Sample { return apitest.NewSample("/v1/dashboard/push-devices"+path, body, status) }
	}
	return map[string]func() apitest.Sample{
		"listPushDevices": sample("", "", 200), "removePushDevice": sample("/"+nobody, "", 200), "testPushDevice": sample("/"+nobody+"/test", "", 200),
		"addPushDevice": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/push-devices", subscription("https://push.example/x"), 201)
		},
	}
}

// subscription returns the body that adds a browser.
func subscription(endpoint string) string {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		panic(err) // the system has no random numbers
	}
	encode := base64.RawURLEncoding.EncodeToString
	body, err := json.Marshal(map[string]string{"endpoint": endpoint, "p256dh": encode(key.PublicKey().Bytes()), "auth": encode([]byte("0123456789abcdef"))})
	if err != nil {
		panic(err) // texts always have a form
	}
	return string(body)
}

// pushed makes a world whose push service counts what it takes.
func pushed(t *testing.T, o store.Options) (*world, string, *atomic.Int64) {
	t.Helper()
	var taken atomic.Int64
	service := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		taken.Add(1)
		w.WriteHeader(http.StatusCreated)
	}))
	t.Cleanup(service.Close)
	w := newWorldOf(t, apitest.Options{Store: o, Push: outward.Options{
		Allowed: outward.Networks{netip.MustParsePrefix("127.0.0.1/32")},
		TLS:     &tls.Config{RootCAs: service.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs},
	}})
	return w, service.URL + "/x", &taken
}

// TestPushDevices adds a browser, pushes it what a note says, and ends it with its session.
func TestPushDevices(t *testing.T) {
	t.Parallel()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w, endpoint, taken := pushed(t, o)
		bo, boToken := w.member(parley.Agent)
		_, annToken := w.member(parley.Agent)
		const path = "/v1/dashboard/push-devices"
		as := func(who parley.Token, method, path, body string) apitest.Answer {
			w.Advance(time.Millisecond)
			return w.Send(apitest.Request{Method: method, Path: path, Body: body, Session: who})
		}
		key := as(boToken, "GET", path, "").Want(200).Is("data", "[]").Text("publicKey")
		if as(annToken, "GET", path, "").Want(200).Text("publicKey") != key || len(key) != 87 {
			t.Errorf("the key is %q, and another one later", key)
		}
		device := as(boToken, "POST", path, subscription(endpoint)).Want(201).Is("current", "true").Is("usedAt", "null").Text("id")
		if as(annToken, "GET", path, "").Want(200).Count("data") != 0 {
			t.Error("another member sees the device")
		}
		as(annToken, "POST", path+"/"+device+"/test", "").Want(200).Is("outcome", `"gone"`)
		as(annToken, "DELETE", path+"/"+device, "").Want(200)
		as(boToken, "POST", path+"/"+device+"/test", "").Want(200).Is("outcome", `"accepted"`)

		tellBy := func(author parley.Token) {
			t.Helper()
			before := taken.Load()
			if err := w.Notices.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			as(author, "POST", "/v1/public/conversations/"+w.Conversation()+"/messages", `{"content":"Bo?","isPrivate":true,"mentions":["`+string(bo.ID)+`"]}`).Want(201)
			if err := w.Notices.CatchUp(t.Context()); err != nil {
				t.Fatal(err)
			}
			w.Advance(time.Minute)
			if err := w.Push.Deliver(t.Context()); err != nil {
				t.Fatal(err)
			}
			taken.Add(-before)
		}
		taken.Store(0)
		if tellBy(annToken); taken.Load() != 1 {
			t.Errorf("a note reached the device %d times", taken.Load())
		}
		taken.Store(0)
		if tellBy(boToken); taken.Load() != 0 {
			t.Error("Bo was told of his own note")
		}
		if as(boToken, "GET", path, "").Want(200).Field("data.0.usedAt") == nil {
			t.Error("the device was never used")
		}
		as(boToken, "DELETE", "/v1/dashboard/session", "").Want(200)
		taken.Store(0)
		if tellBy(annToken); taken.Load() != 0 {
			t.Error("a browser that signed out was told")
		}

		for body, want := range map[string]string{
			`{"endpoint":"http://x","p256dh":"a","auth":"a"}`:                       "endpoint: must be an https address",
			`{"endpoint":"https://x","p256dh":"a","auth":"a"}`:                      "auth: must be 16 bytes in base64url",
			`{"endpoint":"https://x","p256dh":"a","auth":"MDEyMzQ1Njc4OWFiY2RlZg"}`: "p256dh: must be a public key of P-256 in base64url",
		} {
			as(annToken, "POST", path, body).Refused(400, want)
		}
	})
}

// TestPushOff asks a server that pushes nothing.
func TestPushOff(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, apitest.Options{Store: storetest.MigratedSQLite(t), NoPush: true})
	w.Get("/v1/dashboard/push-devices").Want(200).Is("publicKey", "null")
	w.Post("/v1/dashboard/push-devices", subscription("https://push.example/x")).Refused(409, "this server pushes no notices")
	w.Post("/v1/dashboard/push-devices/"+nobody+"/test", "").Refused(409, "this server pushes no notices")
}

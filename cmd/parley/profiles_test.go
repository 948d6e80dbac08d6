package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/publicapi"
	"parley/internal/store/storetest"
)

// TestNoSecretInProfiles takes every profile that a Go program can write, such as
// the dump of goroutines by SIGQUIT, while a server checks passwords and keys. The
// profiles hold none of them, and the server serves no profiles.
func TestNoSecretInProfiles(t *testing.T) {
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 4096
	runtime.SetBlockProfileRate(1)
	defer runtime.SetBlockProfileRate(0)
	defer runtime.SetMutexProfileFraction(runtime.SetMutexProfileFraction(1))
	each(t, func(t *testing.T, c *cli) {
		made := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
		password, key := made["ownerPassword"].(string), made["apiKey"].(string)
		p, err := c.newProgram(t.Context(), programOptions{
			log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: 7 * 24 * time.Hour,
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range []http.Handler{p.handler, p.envelope.Wrap(p.metrics.Handler())} {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/debug/pprof/heap", nil))
			if w.Code != http.StatusNotFound {
				t.Errorf("/debug/pprof/heap is answered %d", w.Code)
			}
		}
		s := serveProgram(t, c, p)
		ctx, stop := context.WithCancel(t.Context())
		var asking sync.WaitGroup
		for range 4 {
			asking.Go(func() {
				for ctx.Err() == nil {
					s.signIn("ann@acme.example", password)
					s.get("/v1/public/contacts", key)
				}
			})
		}
		dump := ""
		for range 20 {
			time.Sleep(10 * time.Millisecond)
			dump += profiles(t, pprof.Lookup("goroutine"))
		}
		dump += profiles(t, pprof.Profiles()...)
		// The control: the search finds a secret in the label of a goroutine.
		pprof.Do(ctx, pprof.Labels("password", password), func(context.Context) {
			if len(heldBy(profiles(t, pprof.Lookup("goroutine")), password)) == 0 {
				t.Error("the search does not even find a label")
			}
		})
		stop()
		asking.Wait()
		if !strings.Contains(dump, "parley/internal/access") {
			t.Error("no profile shows the check of a credential")
		}
		for name, secret := range map[string]string{"password": password, "key": key, "identity secret": made["identitySecret"].(string)} {
			if forms := heldBy(dump, secret); len(forms) > 0 {
				t.Errorf("the profiles hold the %s in the forms %v", name, forms)
			}
		}
	})
}

// heldBy returns the forms in which a text holds a secret. The arguments of a goroutine
// are words in hexadecimal, whose first byte is the last.
func heldBy(text, secret string) (forms []string) {
	word := []byte(secret[len(secret)-8:])
	big := hex.EncodeToString(word)
	slices.Reverse(word)
	for form, held := range map[string]string{"plain": secret, "end": secret[len(secret)-12:], "hexadecimal": hex.EncodeToString([]byte(secret)),
		"word": "0x" + hex.EncodeToString(word), "turned word": "0x" + big} {
		if strings.Contains(text, held) {
			forms = append(forms, form)
		}
	}
	return forms
}

// profiles returns profiles of this process, in each form.
func profiles(t *testing.T, list ...*pprof.Profile) string {
	t.Helper()
	var all strings.Builder
	for _, profile := range list {
		for form := range 3 {
			var out bytes.Buffer
			if err := profile.WriteTo(&out, form); err != nil {
				t.Fatal(err)
			}
			text := out.Bytes()
			if form == 0 {
				z, err := gzip.NewReader(&out)
				if err != nil {
					t.Fatal(err)
				}
				if text, err = io.ReadAll(z); err != nil {
					t.Fatal(err)
				}
			}
			fmt.Fprintf(&all, "%s %d\n%s\n", profile.Name(), form, text)
		}
	}
	return all.String()
}

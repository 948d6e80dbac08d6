package httpjson

import "net/http"

// pagePolicy is what a page of the dashboard may load and do: scripts, styles
// and data from this server only; pictures from anywhere (avatars); sound and
// film from its own files; frames with pages of this server (the preview of the
// widget); the manifest and the worker of the installed app. No other page may
// frame it.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https: http:; " +
	"media-src 'self'; connect-src 'self'; font-src 'self'; frame-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// PageHeaders adds the headers that protect a page to all answers of a handler.
// A handler that needs another policy sets it itself.
func PageHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", pagePolicy)
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
		next.ServeHTTP(w, r)
	})
}

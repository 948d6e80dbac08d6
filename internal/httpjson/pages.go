package httpjson

import "net/http"

// What a page of the dashboard may load and do: scripts, styles and data of this
// server alone, pictures from anywhere (avatars), sounds and films of its own
// files, in frames pages of this server (the preview of the widget), and nothing
// that another page puts around it.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https: http:; " +
	"media-src 'self'; connect-src 'self'; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// PageHeaders puts the headers that protect a page on all that a handler
// answers. A handler that needs another policy sets it itself.
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

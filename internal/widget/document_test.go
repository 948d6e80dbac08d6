package widget_test

import (
	"net/http"
	"testing"
)

func TestDocumentIsKept(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, path := range []string{"/v1/widget/openapi.json", "/v1/widget/openapi.yaml"} {
			tag := w.send(request{method: "GET", path: path}).want(200).header.Get("ETag")
			w.send(request{method: "GET", path: path, header: http.Header{"If-None-Match": {tag}}}).want(304)
		}
	})
}

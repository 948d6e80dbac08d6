package helpcenter

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"parley"
)

// notFound answers that there is no such page, in the help center and language
// of the address as far as these exist.
func (s *Site) notFound(w http.ResponseWriter, r *http.Request) {
	d := &document{Language: "en", Style: stylesheet, Colors: colorsPath(plainColor), Icon: iconPath(plainColor)}
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if len(parts) > 1 && parley.WellFormedHelpCenterSlug(parts[1]) {
		if center, err := s.center(r.Context(), parts[1]); err == nil {
			v := visit{keptCenter: center, language: chosen(center.Languages, r.Header)}
			if len(parts) > 2 {
				if language, ok := parley.ParseLanguage(parts[2]); ok && slices.Contains(center.Languages, language) {
					v.language = language
				}
			}
			v.path = v.home(v.language)
			d = s.document(&v)
			d.Canonical = ""
		}
	}
	d.Texts, d.Direction, d.NoIndex = textsOf(d.Language), directionOf(d.Language), true
	d.Title = d.Texts.NotFound
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, "notfound.html", d); err != nil {
		s.o.Log.Error("helpcenter: page of a missing address not rendered", "error", err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNotFound)
	if r.Method != http.MethodHead {
		_, _ = w.Write(b.Bytes()) // a reader who has left needs no page
	}
}

// chooseLanguage leads to the home page in the reader's best language.
func (s *Site) chooseLanguage(w http.ResponseWriter, r *http.Request, slug string) error {
	center, err := s.center(r.Context(), slug)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Location", "/help/"+center.Slug+"/"+string(chosen(center.Languages, r.Header)))
	h.Set("Vary", "Accept-Language")
	h.Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusFound)
	return nil
}

package helpcenter

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"parley"
	"parley/internal/httpjson"
)

// Refuse answers with a page that tells the reader why there is no other, in the
// help center and language of the address as far as these exist.
func (s *Site) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	httpjson.WriteErrorPage(w, r, s.o.Log, err, func(e *parley.Error) []byte {
		parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
		d := s.refusal(r, parts, e.Kind == parley.NotFound)
		d.NoIndex, d.Canonical = true, ""
		d.Title = d.Texts.Failed
		switch e.Kind {
		case parley.NotFound:
			d.Title, d.Reason = d.Texts.NotFound, d.Texts.NotFoundHint
		case parley.Forbidden:
			d.Reason = d.Texts.NotCounted
		case parley.Limited, parley.Unavailable:
			d.Reason = d.Texts.Busy
		case parley.Invalid:
			d.Reason = d.Texts.Unreadable
		default:
			d.Reason = d.Texts.TryLater
		}
		if d.Home != "" && len(parts) == 5 && parts[3] == "feedback" && parley.WellFormedSlug(parts[4]) {
			d.Back = d.Home + "/" + parts[4]
		}
		var b bytes.Buffer
		if err := templates.ExecuteTemplate(&b, "refused.html", d); err != nil {
			s.o.Log.Error("helpcenter: page of a refused request not rendered", "error", err)
		}
		return b.Bytes()
	})
}

// refusal returns what a page shows beside the reason. It reads the store only for
// missing pages: the others tell of a server that is busy.
func (s *Site) refusal(r *http.Request, parts []string, read bool) *document {
	if len(parts) > 1 && parley.WellFormedHelpCenterSlug(parts[1]) {
		center, ok, err := s.centers.get(parts[1], s.o.Clock())
		if read && err == nil {
			center, err = s.center(r.Context(), parts[1])
			ok = err == nil
		}
		if ok {
			v := visit{keptCenter: center, language: chosen(center.Languages, r.Header)}
			if len(parts) > 2 {
				if language, ok := parley.ParseLanguage(parts[2]); ok && slices.Contains(center.Languages, language) {
					v.language = language
				}
			}
			v.path = v.home(v.language)
			return s.document(&v)
		}
	}
	language := chosen(translated, r.Header)
	return &document{
		Texts: textsOf(language), Language: language, Direction: directionOf(language),
		Style: stylesheet, Colors: colorsPath(plainColor), Icon: iconPath(plainColor),
	}
}

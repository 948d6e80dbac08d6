package helpcenter

import (
	"bytes"
	"context"
	"encoding/xml"
	"net/http"
	"slices"
	"time"

	"parley"
	"parley/internal/httpjson"
)

// sitemapName ends the addresses of sitemaps. No slug has a dot.
const sitemapName = "sitemap.xml"

// A sitemapXML lists pages, or sitemaps (sitemaps.org, protocol 0.9). An article
// is listed in the languages that it has; with at most 10,000 articles, a list
// stays below the limit of 50,000.
type sitemapXML struct {
	XMLName xml.Name
	Space   string       `xml:"xmlns,attr"`
	Maps    []sitemapURL `xml:"sitemap"`
	Pages   []sitemapURL `xml:"url"`
}

type sitemapURL struct {
	Address string `xml:"loc"`
	Changed string `xml:"lastmod,omitempty"`
}

// sitemaps lists the sitemaps of a help center, one for each language.
func (s *Site) sitemaps(w http.ResponseWriter, r *http.Request, slug string) error {
	center, err := s.center(r.Context(), slug)
	if err != nil {
		return err
	}
	list := sitemapXML{XMLName: xml.Name{Local: "sitemapindex"}}
	for _, language := range center.Languages {
		list.Maps = append(list.Maps, sitemapURL{Address: s.originOf(r) + "/help/" + center.Slug + "/" + string(language) + "/" + sitemapName})
	}
	return list.write(w, r)
}

// sitemap lists the home page of a language and the articles that have a text in
// it.
func (s *Site) sitemap(w http.ResponseWriter, r *http.Request, slug, name string) error {
	center, err := s.center(r.Context(), slug)
	if err != nil {
		return err
	}
	v := visit{keptCenter: center, language: parley.Language(name)}
	if !slices.Contains(center.Languages, v.language) {
		return errNoPage
	}
	list := sitemapXML{XMLName: xml.Name{Local: "urlset"}}
	home := s.originOf(r) + v.home(v.language)
	list.Pages = append(list.Pages, sitemapURL{Address: home})
	_, err = httpjson.InTurn(r.Context(), s.o.Turns, httpjson.Asker{Workspace: center.Workspace}, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, s.heads(ctx, &v, v.language, func(p *parley.PublishedText) {
			list.Pages = append(list.Pages, sitemapURL{home + "/" + p.Slug, p.PublishedAt.UTC().Format(time.RFC3339)})
		})
	})
	if err != nil {
		return err
	}
	return list.write(w, r)
}

// originOf returns the origin for addresses in a sitemap, which must be whole.
// Without --public-url it is the one by which the request came.
func (s *Site) originOf(r *http.Request) string {
	switch {
	case s.origin != "":
		return s.origin
	case r.TLS != nil:
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

func (list *sitemapXML) write(w http.ResponseWriter, r *http.Request) error {
	list.Space = "http://www.sitemaps.org/schemas/sitemap/0.9"
	var b bytes.Buffer
	b.WriteString(xml.Header)
	if err := xml.NewEncoder(&b).Encode(list); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/xml; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	if r.Method != http.MethodHead {
		_, _ = w.Write(b.Bytes()) // a program that has left needs no list
	}
	return nil
}

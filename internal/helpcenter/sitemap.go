package helpcenter

import (
	"bytes"
	"context"
	"encoding/xml"
	"net/http"
	"slices"
	"time"

	"parley"
	"parley/internal/assets"
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
	text, err := list.encoded()
	if err == nil {
		assets.New(sitemapName, text).Serve(w, r)
	}
	return err
}

// sitemap answers with the sitemap of a language, which is kept for each origin.
func (s *Site) sitemap(w http.ResponseWriter, r *http.Request, slug, name string) error {
	center, err := s.center(r.Context(), slug)
	if err != nil {
		return err
	}
	v := visit{keptCenter: center, language: parley.Language(name)}
	if !slices.Contains(center.Languages, v.language) {
		return errNoPage
	}
	home := s.originOf(r) + v.home(v.language)
	v.path = home + "/" + sitemapName
	p, err := s.rendered(r.Context(), &v, sitemapPage(home))
	if err == nil {
		s.send(w, r, p)
	}
	return err
}

// sitemapPage lists the home page of a language, with the given address, and the
// articles that have a text in it.
func sitemapPage(home string) maker {
	return func(ctx context.Context, s *Site, v *visit) (*page, error) {
		list := sitemapXML{XMLName: xml.Name{Local: "urlset"}, Pages: []sitemapURL{{Address: home}}}
		err := s.heads(ctx, v, v.language, func(p *parley.PublishedText) {
			list.Pages = append(list.Pages, sitemapURL{home + "/" + p.Slug, p.PublishedAt.UTC().Format(time.RFC3339)})
		})
		if err != nil {
			return nil, err
		}
		text, err := list.encoded()
		if err != nil {
			return nil, err
		}
		p := s.pageOf(sitemapName, text, pageTime)
		p.sitemap = true
		return p, nil
	}
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

func (list *sitemapXML) encoded() ([]byte, error) {
	list.Space = "http://www.sitemaps.org/schemas/sitemap/0.9"
	var b bytes.Buffer
	b.WriteString(xml.Header)
	if err := xml.NewEncoder(&b).Encode(list); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

package helpcenter

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"parley"
	"parley/internal/assets"
)

const (
	stylesheet = "/help/assets/help.css"
	// plainColor is that of pages outside a help center.
	plainColor = "#1d4ed8"
	// paper and night are the backgrounds on which links stand, in light and dark;
	// help.css has the same.
	paper, night = "#ffffff", "#171b22"
	// readable is the least contrast of links: that of WCAG 2.2 (1.4.3), and some for
	// surfaces that are a little darker or lighter.
	readable = 5.0
)

var (
	style  = assets.New("help.css", embedded("help.css"))
	robots = assets.New("robots.txt", []byte("User-agent: *\nDisallow: /\nAllow: /help/\n"))
)

func embedded(name string) []byte {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return text
}

// colorsPath and iconPath are the addresses of the variables and the icon in a
// color.
func colorsPath(color string) string {
	return "/help/assets/colors-" + strings.TrimPrefix(color, "#") + ".css"
}

func iconPath(color string) string {
	return "/help/assets/icon-" + strings.TrimPrefix(color, "#") + ".svg"
}

// asset serves a file that pages load.
func asset(w http.ResponseWriter, r *http.Request, name string) error {
	if "/help/assets/"+name == stylesheet {
		style.Serve(w, r)
		return nil
	}
	var color, kind, text string
	if digits, ok := strings.CutPrefix(strings.TrimSuffix(name, ".css"), "colors-"); ok {
		color, kind = "#"+digits, "text/css; charset=utf-8"
	} else if digits, ok := strings.CutPrefix(strings.TrimSuffix(name, ".svg"), "icon-"); ok {
		color, kind = "#"+digits, "image/svg+xml"
	}
	switch {
	case !parley.WellFormedColor(color):
		return errNoPage
	case "/help/assets/"+name == colorsPath(color):
		text = colors(color)
	case "/help/assets/"+name == iconPath(color):
		text = icon(color)
	default:
		return errNoPage
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "public, max-age=86400")
	if r.Method != http.MethodHead {
		_, _ = w.Write([]byte(text)) // a reader who has left needs no style
	}
	return nil
}

// colors are the variables that depend on the color of a help center. Links
// differ from it as far as they must to be readable.
func colors(color string) string {
	return fmt.Sprintf(":root{--brand:%s;--on-brand:%s;--link:%s}\n@media (prefers-color-scheme:dark){:root{--link:%s}}\n",
		color, on(color), shifted(color, paper, "#000000"), shifted(color, night, "#ffffff"))
}

func icon(color string) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="%s"/>`+
		`<path d="M11 12.5a5 5 0 1 1 7.2 4.5c-1.5.8-2.2 1.6-2.2 3.3" fill="none" stroke="%s" stroke-width="3" stroke-linecap="round"/>`+
		`<circle cx="16" cy="24.8" r="1.9" fill="%s"/></svg>`, color, on(color), on(color))
}

// on returns black or white, whichever is easier to read on a color.
func on(color string) string {
	if contrast(color, "#ffffff") >= contrast(color, "#000000") {
		return "#ffffff"
	}
	return "#000000"
}

// shifted moves a color towards another until it is readable on a background.
func shifted(color, background, towards string) string {
	const steps = 20
	for step := range steps {
		if mixed := mix(color, towards, float64(step)/steps); contrast(mixed, background) >= readable {
			return mixed
		}
	}
	return towards
}

// mix returns a color between two: a for 0, b for 1.
func mix(a, b string, share float64) string {
	x, y := channels(a), channels(b)
	var mixed [3]int
	for i := range mixed {
		mixed[i] = int(math.Round(x[i] + (y[i]-x[i])*share))
	}
	return fmt.Sprintf("#%02x%02x%02x", mixed[0], mixed[1], mixed[2])
}

// channels returns red, green and blue, 0 to 255, of a well-formed color.
func channels(color string) (all [3]float64) {
	for i := range all {
		n, _ := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8) // it is well-formed
		all[i] = float64(n)
	}
	return all
}

// contrast is the contrast ratio of two colors, 1 to 21 (WCAG 2.2).
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func luminance(color string) float64 {
	var linear [3]float64
	for i, c := range channels(color) {
		if c /= 255; c <= 0.04045 {
			linear[i] = c / 12.92
		} else {
			linear[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*linear[0] + 0.7152*linear[1] + 0.0722*linear[2]
}

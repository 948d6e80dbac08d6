package visitors_test

import (
	"strings"
	"testing"

	"parley/internal/visitors"
)

func TestAddress(t *testing.T) {
	for in, want := range map[string]string{
		"https://shop.example/cart":                         "https://shop.example/cart",
		"https://shop.example/cart#token=1":                 "https://shop.example/cart",
		"https://shop.example/?session=abc&utm_source=mail": "https://shop.example/?utm_source=mail",
		"https://shop.example/?session=abc":                 "https://shop.example/",
		"https://ann:secret@shop.example:8443/a?":           "https://shop.example:8443/a",
		"http://shop.example/?a=1&utm_a=b&utm_c=d&xutm_e=f": "http://shop.example/?utm_a=b&utm_c=d",
		"https://shop.example/ä b":                          "https://shop.example/%C3%A4%20b",
		"javascript:alert(1)":                               "",
		"data:text/html,x":                                  "",
		"//shop.example/":                                   "",
		"https:///x":                                        "",
		"https://shop.example/%zz":                          "",
		"x":                                                 "",
		"":                                                  "",
		"https://shop.example/" + strings.Repeat("ä", 2000): "https://shop.example",
	} {
		if got := visitors.Address(in); got != want {
			t.Errorf("Address(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestDevice(t *testing.T) {
	const (
		webkit = " AppleWebKit/537.36 (KHTML, like Gecko) "
		ios    = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
	)
	for in, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0":                         "Firefox on Linux",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64)" + webkit + "Chrome/140.0 Safari/537.36 Edg/140.0":    "Edge on Windows",
		"Mozilla/5.0 (Linux; Android 14; SM-S921B)" + webkit + "SamsungBrowser/28.0 Chrome/130.0 Mobile": "Samsung Internet on Android",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)" + webkit + "Chrome/140.0.0.0 Safari/537.36":    "Chrome on Mac",
		ios + "Version/18.0 Mobile/15E148 Safari/604.1":                                                  "Safari on iPhone",
		ios + "CriOS/140.0 Mobile/15E148 Safari/604.1":                                                   "Chrome on iPhone",
		"curl/8.5.0": "",
		"Windows":    "Windows",
		"":           "",
	} {
		if got := visitors.Device(in); got != want {
			t.Errorf("Device(%q) = %q, want %q", in, got, want)
		}
	}
}

package claims

import (
	"slices"
	"strings"
	"testing"
)

// unsupported checks an answer against one source.
func unsupported(answer, language string, sources ...Source) []string {
	var texts []string
	for _, c := range Collect(sources).Check(answer, Rules{Language: language}) {
		texts = append(texts, strings.TrimSpace(c.Text))
	}
	return texts
}

// TestSupported has claims that stand in the source, in another way or language.
func TestSupported(t *testing.T) {
	for _, c := range []struct{ language, source, answerLanguage, answer string }{
		{"de", "Das Rad kostet 1.299,00 €.", "en", "The bike costs €1,299.00, so €1,299 or 1299 euros."},
		{"de", "Das Rad kostet 1.299 €.", "", "1,299.00 EUR"},
		{"fr", "Le vélo coûte 1\u202f299,50 €.", "de", "Es kostet 1.299,50 Euro oder EUR 1299,5."},
		{"en", "Shipping is $5 (5.00 USD) or £3.50.", "en", "It is $5.00, or £3.50. 5 dollars."},
		{"pl", "Zwrot kosztuje 12,99 zł.", "cs", "Vrácení stojí 12,99 PLN."},
		{"sv", "Frakten kostar 49 SEK.", "sv", "Frakten kostar 49 kr."},
		{"de", "Der Versand kostet 5,- €, ab 50 Euro nichts.", "en", "Shipping is €5 below €50."},
		{"en", "You can return it within 30 days.", "de", "Sie haben 30 Tage Zeit."},
		{"en", "A 14-day trial, then two weeks more.", "fr", "Un essai de 14 jours, puis deux semaines."},
		{"en", "Delivery takes 3–5 business days.", "de", "Die Lieferung dauert 3 bis 5 Werktage."},
		{"en", "Delivery takes 3-5 working days.", "fr", "La livraison prend de 3 à 5 jours ouvrables."},
		{"es", "El plazo es de 3 días hábiles.", "pl", "Termin to 3 dni roboczych."},
		{"en", "20% off for members.", "fr", "20 % de remise, soit 20 pour cent."},
		{"en", "We ship on 24 December 2026.", "de", "Wir versenden am 24.12.2026, also am 24. Dezember."},
		{"en", "We ship on December 24th, 2026.", "fr", "Nous expédions le 24 décembre 2026."},
		{"", "Until 2026-12-24", "es", "Hasta el 24 de diciembre de 2026"},
		{"en", "The sale ends 3/4/2026.", "en", "It ends 3/4/2026."},
		{"de", "Bis 31.1.", "en", "Until January 31"},
		{"en", "Open Monday to Friday, 9 am – 5:30 pm.", "de", "Montag bis Freitag, 9 Uhr bis 17:30 Uhr geöffnet."},
		{"fr", "Ouvert de 9h00 à 17h30.", "en", "Open from 9:00 to 17:30."},
		{"en", "See https://shop.example/returns/ or www.shop.example.", "en", "See shop.example/returns, www.shop.example or HTTPS://Shop.example/returns."},
		{"en", "Write to Help@Shop.example or call +49 (0)30 1234-567.", "en", "Write to help@shop.example (mailto:help@shop.example) or call 0049301234567."},
		{"en", "The NW-10442 uses A4 paper, 2.4 GHz and version 1.2.3.", "de", "Der nw-10442 nutzt A4, 2,4 GHz und Version 1.2.3."},
		{"en", "Steps: print, pack, send.", "en", "1. Print it\n2. Pack it\n3) Send it"},
		{"en", "It weighs 14 kg.", "en", "It weighs 14kg, which is fourteen kg."},
		{"en", "It holds 1,299 pages.", "de", "Es hat 1.299 Seiten"},
		{"en", "We guarantee two years.", "en", "We guarantee 2 years."},
		{"en", "24/7 support", "en", "We are there 24/7."},
		{"en", "It costs ９９ €.", "en", "٩٩ €"},
		{"en", "Nothing", "en", "Yes, of course. One can do that any day, i.e. always (z.B. today). A person on the team may help."},
		{"en", "Find @northwind at Shop.Museum (or büro.Example).", "en", "It is @northwind, shop.museum, BÜRO.example."},
		{"en", "On 3 May", "de", "Am 3.Mai, vgl. v.Chr. und p.ej. (f.eks. z.B. i.e. U.S.A.)."},
		{"zh", "支持。", "zh", "我们支持您。谢谢。好的！"},
		{"de", "Schreiben Sie uns.", "de", "Bitte schreiben Sie uns, z.B. hier, d.h. im Chat, bzw. per Formular usw."},
	} {
		if left := unsupported(c.answer, c.answerLanguage, Source{Text: c.source, Language: c.language}); left != nil {
			t.Errorf("%q does not support %q of %q", c.source, left, c.answer)
		}
	}
}

// TestUnsupported has lies, with the part that gives each away.
func TestUnsupported(t *testing.T) {
	for _, c := range []struct{ language, source, answer, want string }{
		{"en", "It costs €1,299.00.", "It costs €1,298.", "€1,298"},
		{"en", "It costs €1,299.00.", "It costs $1,299.", "$1,299"},
		{"en", "It costs €1,299.00.", "It costs €1.299.00,5", "€1.299.00,5"},
		{"en", "It costs $5.", "It costs 5 CAD.", "5 CAD"},
		{"en", "It costs €50.", "It costs 50 cents.", "50 cents"},
		{"de", "Es kostet 1.299 €.", "Es kostet 1,299 €.", ""}, // a price has two decimals
		{"en", "It weighs 1.299 kg.", "It weighs 1,299 kg.", "1,299 kg"},
		{"en", "Return it within 14 days.", "Return it within 14 hours.", "14 hours"},
		{"en", "Return it within 14 days.", "Return it within 14 business days.", "14 business days"},
		{"en", "Return it within 14 days.", "Return it within two weeks.", "two weeks"},
		{"de", "Zurück in 14 Tagen.", "Zurück in dreißig Tagen.", "dreißig Tagen"},
		{"en", "20 people", "20% off", "20%"},
		{"en", "20% off", "It is 2\u200b0 % or 9\u200b9 %", "99 %"},
		{"en", "We ship on 24 December.", "We ship on 25 December.", "25 December"},
		{"en", "We ship on 24 December 2026.", "We ship on 24 December 2027.", "24 December 2027"},
		{"en", "On 24 December 2026.", "On 24 January.", "24 January"},
		{"en", "Until 31 January.", "Until the end of February.", "February"},
		{"en", "On 3 April 2026.", "On 4/3/2026.", "4/3/2026"},
		{"en", "Open 9 am to 5 pm.", "Open until 6 pm.", "6 pm"},
		{"en", "Open 9 am to 5 pm.", "Open at 9 pm.", "9 pm"},
		{"en", "Open Monday to Friday.", "Open on Sundays.", "Sundays"},
		{"pt", "Aberto de segunda-feira a sexta-feira.", "Aberto no sábado.", "sábado"},
		{"en", "See https://shop.example/returns.", "See https://shop.example/refunds.", "https://shop.example/refunds"},
		{"en", "See https://shop.example/returns.", "See https://shop.example@evil.example/returns.", "https://shop.example@evil.example/returns"},
		{"en", "See https://shop.example/returns.", "See https://shop.example.evil.example/returns", "https://shop.example.evil.example/returns"},
		{"en", "See https://shop.example", "See evil.ly/x and evil.com and WWW.EVIL.BUZZ", "evil.ly/x"},
		{"en", "See https://shop.example", "See EVIL.LY", "EVIL.LY"},
		{"en", "See https://shop.example", "See Evil.Monster now", "Evil.Monster"},
		{"en", "See https://shop.example", "See evil.museum", "evil.museum"},
		{"en", "See https://shop.example", "See x.ai", "x.ai"},
		{"ru", "См. https://shop.example", "Смотрите злой.рф.", "злой.рф"},
		{"hi", "https://shop.example", "देखें बुरा.भारत", "बुरा.भारत"},
		{"ru", "См. https://shop.example", "Смотрите evil.xn--p1ai", "evil.xn--p1ai"},
		{"zh", "https://shop.example", "请看 evil。com", "evil。com"},
		{"ja", "https://shop.example", "evil．com", "evil.com"},
		{"en", "See https://shop.example", "See 1688.monster", "1688.monster"},
		{"en", "See https://shop.example", "See http:evil.monster or localhost:99/a", "localhost:99/a"},
		{"en", "See https://shop.example", "See intranet:8080/pay", "intranet:8080/pay"},
		{"en", "Write to help@shop.example.", "Write to root@evil.", "root@evil"},
		{"en", "Write to help@shop.example.", "Ask @evilshop there", "@evilshop"},
		{"en", "See javascript:alert(1)", "See javascript:alert(1)", "javascript:alert(1"},
		{"en", "See https://shop.example/a.png ![a](https://shop.example/a.png)", "![a](https://shop.example/a.png)", "![a]"},
		{"en", "Write to help@shop.example.", "Write to help@evil.example.", "help@evil.example"},
		{"en", "Call +49 30 1234567.", "Call +49 30 1234568.", "+49 30 1234568"},
		{"en", "Call 030 1234567.", "Call (555) 123-4567.", "(555) 123-4567"},
		{"en", "Order NW-10442", "Order NW-10443", "NW-10443"},
		{"en", "The A4 format", "The A5 format", "A5"},
		{"en", "Return it.", "I will refund you.", "i will"},
		{"de", "Rückgabe möglich.", "Ich werde das Geld erstatten.", "ich werde"},
		{"cs", "Vrácení je možné.", "Slibuji, že to vyřídím.", "slibuji"},
		{"en", "Steps", "24. December is the day", "24. December"},
		{"en", "Nothing", "It arrives on 31.02.2031 at 25:61", "31.02.2031"},
		{"en", "3 to 5 days", "3 to 6 days", "6 days"},
		{"en", "Between €5 and €10", "Between €5–20", "20"},
	} {
		left := unsupported(c.answer, c.language, Source{Text: c.source, Language: c.language})
		if c.want == "" && left != nil || c.want != "" && !slices.ContainsFunc(left, func(text string) bool { return strings.EqualFold(text, c.want) }) {
			t.Errorf("%q: of %q, %q is unsupported, want %q", c.source, c.answer, left, c.want)
		}
	}
}

// TestHosts has links that stand in a source, and lead where the product allows
// it, or not.
func TestHosts(t *testing.T) {
	sources := []Source{{Text: "See https://a.example/x, https://sub.b.example and http://c.example:8080/.", URL: "https://help.example/help/shop/a"}}
	for hosts, want := range map[string]int{"": 0, "a.example": 2, "a.example *.b.example": 1, "b.example": 3, "a.example *.b.example c.example:8080": 0} {
		left := Collect(sources).Check("https://a.example/x https://sub.b.example http://c.example:8080 https://help.example/help/shop/a", Rules{Hosts: strings.Fields(hosts)})
		if len(left) != want {
			t.Errorf("with %q, %v are left, want %d", hosts, left, want)
		}
	}
}

// TestOrder has several sources, of which one supports each claim.
func TestOrder(t *testing.T) {
	facts := Collect([]Source{{Text: "30 days", Language: "en"}, {Text: "5,00 €", Language: "de"}})
	left := facts.Check("In 30 days for 5 €, or 40 days for 6 €, at https://evil.example, I promise.", Rules{Language: "en"})
	var kinds []Kind
	for _, c := range left {
		kinds = append(kinds, c.Kind)
	}
	if want := []Kind{Quantity, Price, Link, Promise}; !slices.Equal(kinds, want) {
		t.Errorf("the claims are %v", left)
	}
	if left := Collect(nil).Check("Thanks!", Rules{}); left != nil {
		t.Errorf("the claims are %v", left)
	}
}

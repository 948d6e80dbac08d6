package language_test

import (
	"strings"
	"testing"

	"parley/internal/bot/language"
)

var texts = map[string][]string{
	"en": {"Where is my parcel?", "I want to return the shoes I bought", "how long does shipping take", "Can I change the address of my order", "My card was charged twice"},
	"de": {"Wo ist mein Paket?", "Ich möchte die Schuhe zurückgeben", "wie lange dauert der versand", "Kann ich die Adresse meiner Bestellung ändern", "Die Größe passt nicht"},
	"fr": {"Où est mon colis ?", "Je voudrais retourner les chaussures", "combien de temps prend la livraison", "Puis-je changer l'adresse de ma commande", "ma carte a été débitée deux fois, pourquoi"},
	"es": {"¿Dónde está mi paquete?", "Quiero devolver los zapatos", "cuanto tarda el envio a mi casa", "Puedo cambiar la dirección de mi pedido", "me han cobrado dos veces"},
	"it": {"Dov'è il mio pacco?", "Vorrei restituire le scarpe", "quanto tempo ci vuole per la consegna", "Posso cambiare l'indirizzo del mio ordine", "perché non funziona la carta"},
	"pt": {"Onde está a minha encomenda?", "Quero devolver os sapatos", "quanto tempo demora o envio para minha casa", "Posso mudar o endereço do meu pedido", "não consigo entrar na conta"},
	"nl": {"Waar is mijn pakket?", "Ik wil de schoenen terugsturen", "hoe lang duurt de verzending", "Kan ik het adres van mijn bestelling wijzigen", "mijn kaart werkt niet"},
	"pl": {"Gdzie jest moja paczka?", "Chcę zwrócić buty", "jak długo trwa wysyłka", "Czy mogę zmienić adres zamówienia", "nie działa moja karta"},
	"tr": {"Paketim nerede?", "Ayakkabıları iade etmek istiyorum", "kargo ne kadar sürer", "Siparişimin adresini değiştirebilir miyim", "kartım neden çalışmıyor"},
	"sv": {"Var är mitt paket?", "Jag vill lämna tillbaka skorna", "hur lång tid tar leveransen", "Kan jag ändra adressen på min beställning", "mitt kort fungerar inte"},
	"da": {"Hvor er min pakke?", "Jeg vil gerne returnere skoene", "hvor lang tid tager leveringen", "Kan jeg ændre adressen på min ordre", "mit kort virker ikke"},
	"cs": {"Kde je můj balík?", "Chci vrátit boty", "jak dlouho trvá doručení", "Mohu změnit adresu své objednávky", "moje karta nefunguje, proč"},
	"ja": {"私の荷物はどこですか", "返品したいです"},
	"zh": {"我的包裹在哪里？", "order 12345 在哪里"},
	"ko": {"내 소포는 어디에 있나요?"},
	"el": {"Πού είναι το δέμα μου;"},
	"he": {"איפה החבילה שלי?"},
	"th": {"พัสดุของฉันอยู่ที่ไหน"},
	"hi": {"मेरा पार्सल कहाँ है?"},
	"": {
		"", "ok", "12345", "NW-10442", "👍", "Где моя посылка?", "أين طردي؟", "iPhone 15 Pro", "\xff\xfe", "support@example.com", "Anna Müller",
	},
}

func TestOf(t *testing.T) {
	for want, list := range texts {
		for _, text := range list {
			if got := language.Of(text); got != want {
				t.Errorf("%q is %q, want %q", text, got, want)
			}
			if got := language.Of(strings.ToUpper(text)); got != want && want != "tr" {
				t.Errorf("in capitals, %q is %q, want %q", text, got, want)
			}
		}
	}
}

func FuzzOf(f *testing.F) {
	for _, list := range texts {
		for _, text := range list {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if of := language.Of(text); len(of) != 0 && len(of) != 2 {
			t.Errorf("%q is %q", text, of)
		}
	})
}

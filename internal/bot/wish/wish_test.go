package wish_test

import (
	"strings"
	"testing"

	"parley/internal/bot/wish"
)

// asking and others are texts that ask for a person, and that do not, by
// language.
var asking = map[string][]string{
	"en": {
		"I want to speak to a human", "Can I talk to a real person?", "human please", "agent", "Let me talk to your manager!", "connect me with customer service", "I need a person",
		"can't I just chat with someone", "Why can I not talk to a person?", "I don't want a bot, I want a human", "not a bot please", "I don't want to talk to a robot",
		"It doesn't work get me a human", "No, I need an agent.", "Could someone call me?", "Please transfer me to a representative", "stop, bot. Give me a live agent", "LIVE AGENT!!",
		"i dont want to talk to a bot but to a person", "Hi! My order is late. I'd like to speak with someone from your team.", "Is there no human I can talk to?",
	},
	"de": {
		"Ich möchte mit einem Menschen sprechen", "Kann ich mit einem Mitarbeiter reden?", "Mitarbeiter bitte", "echter Mensch", "Bitte verbinden Sie mich mit dem Kundenservice",
		"Ich will keinen Bot, sondern einen Menschen", "Kein Roboter bitte", "Kann ich nicht mit jemandem sprechen?", "ich brauche eine Person", "Ich würde gern mit jemandem aus dem Team sprechen",
		"Das hilft nicht. Geben Sie mir einen Mitarbeiter!", "ICH WILL NICHT MIT EINEM BOT REDEN",
	},
	"fr": {
		"Je veux parler à un humain", "Puis-je parler à quelqu’un ?", "un conseiller svp", "J'ai besoin d'une personne", "passez-moi un agent", "Je ne veux pas parler à un robot",
		"Je voudrais être mis en relation avec un conseiller", "pas de robot", "service client", "Pourquoi je ne peux pas parler à une vraie personne ?",
	},
	"es": {
		"Quiero hablar con una persona", "¿Puedo hablar con alguien?", "un agente por favor", "necesito un humano", "páseme con un asesor", "No quiero hablar con un robot",
		"no con un bot sino con una persona", "¿No puedo hablar con una persona?", "atención al cliente", "quisiera comunicarme con un representante",
	},
	"it": {
		"Voglio parlare con una persona", "Posso parlare con qualcuno?", "operatore per favore", "ho bisogno di un operatore umano", "passatemi un operatore", "Non voglio parlare con un bot",
		"vorrei parlare con il servizio clienti", "un essere umano", "Perché non posso parlare con un operatore?",
	},
	"pt": {
		"Quero falar com uma pessoa", "Posso falar com alguém?", "atendente por favor", "preciso de um humano", "transfira-me para um agente", "Não quero falar com um robô",
		"gostaria de falar com um atendente", "atendimento humano", "Porque não posso falar com uma pessoa?",
	},
	"nl": {
		"Ik wil een mens spreken", "Kan ik met iemand praten?", "medewerker graag", "ik heb een medewerker nodig", "verbind me met de klantenservice", "Ik wil niet met een robot praten",
		"geen bot maar een mens", "echte persoon alsjeblieft", "Waarom kan ik niet met een medewerker praten?",
	},
	"pl": {
		"Chcę rozmawiać z człowiekiem", "Czy mogę porozmawiać z kimś?", "konsultant proszę", "połącz mnie z konsultantem", "Nie chcę rozmawiać z botem", "potrzebuję człowieka",
		"nie z robotem, tylko z człowiekiem", "Proszę o kontakt z pracownikiem", "Dlaczego nie mogę rozmawiać z człowiekiem?",
	},
	"tr": {
		"Bir insanla görüşmek istiyorum", "Biriyle konuşabilir miyim?", "temsilci lütfen", "müşteri temsilcisine bağlanmak istiyorum", "Robotla konuşmak istemiyorum", "gerçek bir insan",
		"yetkiliyle görüşmek istiyorum", "Beni bir temsilciye bağlayın",
	},
	"sv": {
		"Jag vill prata med en människa", "Kan jag få tala med någon?", "riktig person tack", "koppla mig till kundtjänst", "Jag vill inte prata med en robot", "jag behöver en människa",
		"Varför kan jag inte prata med en människa?", "handläggare",
	},
	"da": {
		"Jeg vil tale med et menneske", "Kan jeg snakke med nogen?", "medarbejder tak", "jeg vil gerne tale med kundeservice", "Jeg vil ikke snakke med en robot", "rigtigt menneske",
		"Hvorfor kan jeg ikke tale med et menneske?", "stil mig om, jeg vil tale med en rådgiver",
	},
	"cs": {
		"Chci mluvit s člověkem", "Mohu mluvit s někým?", "operátor prosím", "spojte mě s operátorem", "Nechci mluvit s robotem", "potřebuji živého člověka",
		"Proč nemohu mluvit s člověkem?", "přepojte mě na zákaznickou podporu",
	},
}

var others = map[string][]string{
	"en": {
		"", "?", "Where is my parcel?", "I don't want to talk to a human", "no need for an agent", "I don't need a person, you can help me", "A person stole my parcel and I want a refund",
		"The delivery person was rude", "I spoke to your agent yesterday", "I am not a bot", "Are you a bot?", "I need a travel agent discount", "I would like to talk about the agent fee",
		"Does the ticket allow two people per room?", "personal data", "no human needed thanks", "never mind", "Is this a human hair wig", "I want to return shoes", "How many persons fit in the tent?",
	},
	"de": {
		"Wo ist mein Paket?", "Ich brauche keinen Mitarbeiter", "Kein Mensch nötig", "Einen Menschen brauche ich nicht", "Ich möchte jemandem ein Paket schicken", "Wie viele Personen passen in das Zelt?",
		"Ich habe gestern mit einem Mitarbeiter gesprochen", "Bist du ein Bot?", "Welche Daten zur Person speichern Sie?",
	},
	"fr": {"Où est mon colis ?", "Je ne veux pas parler à un humain", "Pas besoin d'un conseiller", "Combien de personnes dans la tente ?", "j'ai parlé à un agent hier", "Es-tu un robot ?"},
	"es": {"¿Dónde está mi paquete?", "No quiero hablar con una persona", "no necesito un agente", "¿Cuántas personas caben?", "Ayer hablé con un agente", "¿Eres un bot?"},
	"it": {"Dov'è il mio pacco?", "Non voglio parlare con una persona", "non ho bisogno di un operatore", "Per quante persone è la tenda?", "ieri ho parlato con un operatore", "Sei un bot?"},
	"pt": {"Onde está a encomenda?", "Não quero falar com uma pessoa", "não preciso de um atendente", "Para quantas pessoas é a tenda?", "ontem falei com um agente", "És um robô?"},
	"nl": {"Waar is mijn pakket?", "Ik wil niet met een mens praten", "geen medewerker nodig", "Een medewerker heb ik niet nodig", "Voor hoeveel personen is de tent?", "Ben je een bot?"},
	"pl": {"Gdzie jest paczka?", "Nie chcę rozmawiać z człowiekiem", "nie potrzebuję konsultanta", "Na ile osób jest namiot?", "Wczoraj rozmawiałem z konsultantem", "Czy jesteś botem?", "nie chcę botków"},
	"tr": {"Paketim nerede?", "Bir insanla görüşmek istemiyorum", "temsilciye gerek yok", "Çadır kaç kişilik?", "Dün bir temsilciyle konuştum", "Bot almak istiyorum"},
	"sv": {"Var är mitt paket?", "Jag vill inte prata med en människa", "ingen handläggare behövs", "Hur många personer rymmer tältet?", "Jag pratade med kundtjänst igår", "Är du en bot?"},
	"da": {"Hvor er min pakke?", "Jeg vil ikke tale med et menneske", "ingen medarbejder nødvendig", "Hvor mange personer er teltet til?", "Jeg talte med en medarbejder i går", "Er du en bot?"},
	"cs": {"Kde je můj balík?", "Nechci mluvit s člověkem", "nepotřebuji operátora", "Pro kolik osob je stan?", "Včera jsem mluvil s operátorem", "Jsi robot?", "Nechci boty, chci je vrátit"},
}

func TestForPerson(t *testing.T) {
	count := 0
	for want, all := range map[bool]map[string][]string{true: asking, false: others} {
		for language, list := range all {
			for _, text := range list {
				count++
				if wish.ForPerson(text) != want {
					t.Errorf("%s: %q asks for a person: %t, want %t", language, text, !want, want)
				}
			}
		}
	}
	if count < 190 {
		t.Errorf("there are only %d texts", count)
	}
	if !wish.ForPerson(strings.Repeat("My parcel is late. ", 2000) + "I want to speak to a human") {
		t.Error("the end of a long text is not read")
	}
}

func FuzzForPerson(f *testing.F) {
	for _, list := range asking {
		for _, text := range list {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if wish.ForPerson(text) != wish.ForPerson(strings.ToUpper(text)) && strings.ToLower(strings.ToUpper(text)) == text {
			t.Errorf("%q depends on capitals", text)
		}
	})
}

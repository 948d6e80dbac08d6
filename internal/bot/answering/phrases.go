package answering

import "parley"

// A phrasebook has the sentences of a language that customers read without a
// model.
type phrasebook struct {
	ask      string // after a greeting
	sorry    string // after an answer that did not help
	cards    string // before articles
	handOver string
	meantime string // before articles, after handOver
}

// phrasebooks are by primary language.
var phrasebooks = map[string]phrasebook{
	"en": {
		"Hello! What is your question about?", "I am sorry that this did not help. What exactly would you like to know?",
		"These articles may answer your question:", "I am passing your question on to a person on our team, who will reply here.",
		"Until then, these articles may help:",
	},
	"de": {
		"Hallo! Worum geht es in Ihrer Frage?", "Schade, dass das nicht geholfen hat. Was genau möchten Sie wissen?",
		"Diese Artikel könnten Ihre Frage beantworten:", "Ich gebe Ihre Frage an einen Menschen aus unserem Team weiter, der hier antwortet.",
		"Bis dahin helfen vielleicht diese Artikel:",
	},
	"fr": {
		"Bonjour ! Sur quoi porte votre question ?", "Je suis désolé que cela n’ait pas aidé. Que souhaitez-vous savoir exactement ?",
		"Ces articles répondent peut-être à votre question :", "Je transmets votre question à une personne de notre équipe, qui vous répondra ici.",
		"En attendant, ces articles peuvent vous aider :",
	},
	"es": {
		"¡Hola! ¿Sobre qué es su pregunta?", "Siento que esto no haya ayudado. ¿Qué desea saber exactamente?",
		"Es posible que estos artículos respondan a su pregunta:", "Paso su pregunta a una persona de nuestro equipo, que le responderá aquí.",
		"Mientras tanto, estos artículos pueden ayudarle:",
	},
	"it": {
		"Buongiorno! Di che cosa tratta la sua domanda?", "Mi dispiace che non sia stato d’aiuto. Che cosa desidera sapere esattamente?",
		"Questi articoli potrebbero rispondere alla sua domanda:", "Passo la sua domanda a una persona del nostro team, che risponderà qui.",
		"Nel frattempo, questi articoli possono aiutarla:",
	},
	"pt": {
		"Olá! Sobre o que é a sua pergunta?", "Lamento que isto não tenha ajudado. O que deseja saber exatamente?",
		"Estes artigos talvez respondam à sua pergunta:", "Vou passar a sua pergunta a uma pessoa da nossa equipe, que responderá aqui.",
		"Até lá, estes artigos podem ajudar:",
	},
	"nl": {
		"Hallo! Waar gaat uw vraag over?", "Het spijt me dat dit niet heeft geholpen. Wat wilt u precies weten?",
		"Deze artikelen beantwoorden misschien uw vraag:", "Ik geef uw vraag door aan iemand van ons team, die hier antwoordt.",
		"Tot die tijd helpen deze artikelen misschien:",
	},
	"pl": {
		"Dzień dobry! Czego dotyczy pytanie?", "Przykro mi, że to nie pomogło. Co dokładnie chcesz wiedzieć?",
		"Te artykuły mogą zawierać odpowiedź:", "Przekazuję pytanie osobie z naszego zespołu, która odpowie tutaj.",
		"Do tego czasu mogą pomóc te artykuły:",
	},
	"tr": {
		"Merhaba! Sorunuz ne hakkında?", "Bunun yardımcı olmadığına üzüldüm. Tam olarak ne öğrenmek istersiniz?",
		"Bu makaleler sorunuzu yanıtlayabilir:", "Sorunuzu ekibimizden bir kişiye iletiyorum, size buradan yanıt verecek.",
		"O zamana kadar bu makaleler yardımcı olabilir:",
	},
	"sv": {
		"Hej! Vad gäller din fråga?", "Jag är ledsen att det inte hjälpte. Vad vill du veta mer exakt?",
		"De här artiklarna kan besvara din fråga:", "Jag lämnar din fråga till en person i vårt team, som svarar här.",
		"Under tiden kan de här artiklarna hjälpa:",
	},
	"da": {
		"Hej! Hvad drejer dit spørgsmål sig om?", "Jeg er ked af, at det ikke hjalp. Hvad vil du helt præcist vide?",
		"Disse artikler kan måske besvare dit spørgsmål:", "Jeg giver dit spørgsmål videre til en person i vores team, som svarer her.",
		"Indtil da kan disse artikler måske hjælpe:",
	},
	"cs": {
		"Dobrý den! Čeho se váš dotaz týká?", "Je mi líto, že to nepomohlo. Co přesně chcete vědět?",
		"Tyto články možná odpoví na váš dotaz:", "Předávám váš dotaz člověku z našeho týmu, který odpoví zde.",
		"Do té doby vám mohou pomoci tyto články:",
	},
	"ar": {
		"مرحبًا! ما موضوع سؤالك؟", "يؤسفني أن ذلك لم يساعدك. ما الذي تريد معرفته بالتحديد؟",
		"قد تجيب هذه المقالات عن سؤالك:", "سأحيل سؤالك إلى شخص من فريقنا، وسيرد عليك هنا.",
		"حتى ذلك الحين، قد تساعدك هذه المقالات:",
	},
	"he": {
		"שלום! במה עוסקת השאלה שלך?", "צר לי שזה לא עזר. מה בדיוק ברצונך לדעת?",
		"ייתכן שהמאמרים האלה עונים על השאלה שלך:", "השאלה שלך מועברת לאדם מהצוות שלנו, והוא ישיב כאן.",
		"בינתיים, ייתכן שהמאמרים האלה יעזרו:",
	},
}

// phrasesOf returns the sentences of a language and their language: English if
// there are none in the other.
func phrasesOf(l parley.Language) (phrasebook, parley.Language) {
	if book, ok := phrasebooks[primary(l)]; ok {
		return book, l
	}
	return phrasebooks["en"], "en"
}

package helpcenter

import (
	"strconv"
	"strings"
	"time"

	"parley"
)

// texts are the words of the pages beside the articles.
type texts struct {
	Skip, Home, Language        string
	Welcome                     string
	Search, SearchHint          string
	Popular, Articles, Other    string
	Contents, Updated           string
	Helpful, Yes, No, Thanks    string
	NotFound, NotFoundHint      string
	ToHome, Back                string
	Failed, TryLater, Busy      string
	NotCounted, Unreadable      string
	Results, NoResults, TryElse string
	Previous, Next              string
	// All has a place # for a number, Elsewhere for the name of a language. Results
	// has one for a query, and Page two for numbers.
	All, Elsewhere, Page string
	// Day is the layout of a date, with a place # for the month.
	Day, Months string
}

// Date writes a date.
func (t texts) Date(at time.Time) string {
	return strings.Replace(at.Format(t.Day), "#", strings.Fields(t.Months)[at.Month()-1], 1)
}

// ResultsFor says for which query there are results.
func (t texts) ResultsFor(query string) string { return strings.ReplaceAll(t.Results, "#", query) }

// AllOf says how many articles a page has.
func (t texts) AllOf(n int) string { return strings.ReplaceAll(t.All, "#", strconv.Itoa(n)) }

// pageOf says which page of a list this is.
func (t texts) pageOf(number, pages int) string {
	return strings.Replace(strings.Replace(t.Page, "#", strconv.Itoa(number), 1), "#", strconv.Itoa(pages), 1)
}

// fallback says that an article is in another language.
func (t texts) fallback(language string) string {
	return strings.ReplaceAll(t.Elsewhere, "#", language)
}

// textsOf returns the words in a language, else in English.
func textsOf(language parley.Language) texts {
	if t, ok := translations[language.Base()]; ok {
		return t
	}
	return translations["en"]
}

// translated lists the languages that have words of their own.
var translated = []parley.Language{"en", "de", "es", "fr", "it", "nl", "pt"}

var translations = map[parley.Language]texts{
	"en": {
		Welcome: "How can we help?", Day: "2 # 2006",
		Months: "January February March April May June July August September October November December",
		Skip:   "Skip to content", Home: "Help center", Language: "Language", Search: "Search", SearchHint: "Search for answers",
		Popular: "Popular articles", Articles: "Articles", Other: "More articles", Contents: "On this page", Updated: "Updated",
		Helpful: "Did this help?", Yes: "Yes", No: "No", Thanks: "Thank you for your feedback.",
		NotFound: "Page not found", NotFoundHint: "There is nothing at this address, or not any more.", ToHome: "Go to the help center",
		Failed: "That did not work", TryLater: "Please try again later.", Busy: "The server is busy. Please try again in a moment.",
		NotCounted: "Your vote was not counted. Please reload the article and try again.", Unreadable: "The address of this page cannot be read.", Back: "Back to the article",
		Results: "Results for “#”", NoResults: "Nothing was found.", TryElse: "Try other words, or fewer.",
		Previous: "Previous page", Next: "Next page", Page: "Page # of #",
		All: "All # articles", Elsewhere: "This article is not available in English yet. You are reading it in this language: #.",
	},
	"de": {
		Welcome: "Wie können wir helfen?", Day: "2. # 2006",
		Months: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
		Skip:   "Zum Inhalt springen", Home: "Hilfe", Language: "Sprache", Search: "Suchen", SearchHint: "Antworten suchen",
		Popular: "Beliebte Artikel", Articles: "Artikel", Other: "Weitere Artikel", Contents: "Auf dieser Seite", Updated: "Aktualisiert am",
		Helpful: "War das hilfreich?", Yes: "Ja", No: "Nein", Thanks: "Danke für Ihre Rückmeldung.",
		NotFound: "Seite nicht gefunden", NotFoundHint: "Unter dieser Adresse gibt es nichts oder nichts mehr.", ToHome: "Zur Hilfe",
		Failed: "Das hat nicht geklappt", TryLater: "Bitte versuchen Sie es später noch einmal.", Busy: "Der Server ist ausgelastet. Bitte versuchen Sie es gleich noch einmal.",
		NotCounted: "Ihre Stimme wurde nicht gezählt. Bitte laden Sie den Artikel neu und versuchen Sie es noch einmal.", Unreadable: "Die Adresse dieser Seite ist nicht lesbar.", Back: "Zurück zum Artikel",
		Results: "Ergebnisse für „#“", NoResults: "Nichts gefunden.", TryElse: "Versuchen Sie es mit anderen oder weniger Wörtern.",
		Previous: "Vorherige Seite", Next: "Nächste Seite", Page: "Seite # von #",
		All: "Alle # Artikel", Elsewhere: "Diesen Artikel gibt es noch nicht auf Deutsch. Sie lesen ihn in dieser Sprache: #.",
	},
	"fr": {
		Welcome: "Comment pouvons-nous vous aider ?", Day: "2 # 2006",
		Months: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
		Skip:   "Aller au contenu", Home: "Centre d’aide", Language: "Langue", Search: "Rechercher", SearchHint: "Rechercher une réponse",
		Popular: "Articles populaires", Articles: "Articles", Other: "Autres articles", Contents: "Sur cette page", Updated: "Mis à jour le",
		Helpful: "Cet article vous a-t-il aidé ?", Yes: "Oui", No: "Non", Thanks: "Merci pour votre avis.",
		NotFound: "Page introuvable", NotFoundHint: "Il n’y a rien, ou plus rien, à cette adresse.", ToHome: "Aller au centre d’aide",
		Failed: "Cela n’a pas fonctionné", TryLater: "Veuillez réessayer plus tard.", Busy: "Le serveur est occupé. Veuillez réessayer dans un instant.",
		NotCounted: "Votre avis n’a pas été compté. Rechargez l’article et réessayez.", Unreadable: "L’adresse de cette page est illisible.", Back: "Retour à l’article",
		Results: "Résultats pour « # »", NoResults: "Aucun résultat.", TryElse: "Essayez d’autres mots, ou moins de mots.",
		Previous: "Page précédente", Next: "Page suivante", Page: "Page # sur #",
		All: "Les # articles", Elsewhere: "Cet article n’est pas encore disponible en français. Vous le lisez dans cette langue : #.",
	},
	"es": {
		Welcome: "¿En qué podemos ayudarte?", Day: "2 de # de 2006",
		Months: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
		Skip:   "Ir al contenido", Home: "Centro de ayuda", Language: "Idioma", Search: "Buscar", SearchHint: "Buscar respuestas",
		Popular: "Artículos populares", Articles: "Artículos", Other: "Más artículos", Contents: "En esta página", Updated: "Actualizado el",
		Helpful: "¿Te ha servido?", Yes: "Sí", No: "No", Thanks: "Gracias por tu opinión.",
		NotFound: "Página no encontrada", NotFoundHint: "En esta dirección no hay nada, o ya no lo hay.", ToHome: "Ir al centro de ayuda",
		Failed: "No ha funcionado", TryLater: "Inténtalo más tarde.", Busy: "El servidor está ocupado. Inténtalo de nuevo enseguida.",
		NotCounted: "Tu voto no se ha contado. Vuelve a cargar el artículo e inténtalo de nuevo.", Unreadable: "La dirección de esta página no se puede leer.", Back: "Volver al artículo",
		Results: "Resultados de «#»", NoResults: "No se ha encontrado nada.", TryElse: "Prueba con otras palabras, o con menos.",
		Previous: "Página anterior", Next: "Página siguiente", Page: "Página # de #",
		All: "Los # artículos", Elsewhere: "Este artículo aún no está disponible en español. Lo estás leyendo en este idioma: #.",
	},
	"it": {
		Welcome: "Come possiamo aiutarti?", Day: "2 # 2006",
		Months: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
		Skip:   "Vai al contenuto", Home: "Centro assistenza", Language: "Lingua", Search: "Cerca", SearchHint: "Cerca una risposta",
		Popular: "Articoli più letti", Articles: "Articoli", Other: "Altri articoli", Contents: "In questa pagina", Updated: "Aggiornato il",
		Helpful: "Ti è stato utile?", Yes: "Sì", No: "No", Thanks: "Grazie per il tuo parere.",
		NotFound: "Pagina non trovata", NotFoundHint: "A questo indirizzo non c’è nulla, o non c’è più.", ToHome: "Vai al centro assistenza",
		Failed: "Non ha funzionato", TryLater: "Riprova più tardi.", Busy: "Il server è sovraccarico. Riprova tra poco.",
		NotCounted: "Il tuo voto non è stato contato. Ricarica l’articolo e riprova.", Unreadable: "L’indirizzo di questa pagina non è leggibile.", Back: "Torna all’articolo",
		Results: "Risultati per “#”", NoResults: "Nessun risultato.", TryElse: "Prova con altre parole, o con meno parole.",
		Previous: "Pagina precedente", Next: "Pagina successiva", Page: "Pagina # di #",
		All: "Tutti i # articoli", Elsewhere: "Questo articolo non è ancora disponibile in italiano. Lo stai leggendo in questa lingua: #.",
	},
	"nl": {
		Welcome: "Hoe kunnen we je helpen?", Day: "2 # 2006",
		Months: "januari februari maart april mei juni juli augustus september oktober november december",
		Skip:   "Naar de inhoud", Home: "Helpcentrum", Language: "Taal", Search: "Zoeken", SearchHint: "Zoek een antwoord",
		Popular: "Populaire artikelen", Articles: "Artikelen", Other: "Meer artikelen", Contents: "Op deze pagina", Updated: "Bijgewerkt op",
		Helpful: "Heeft dit geholpen?", Yes: "Ja", No: "Nee", Thanks: "Bedankt voor je reactie.",
		NotFound: "Pagina niet gevonden", NotFoundHint: "Hier staat niets, of niets meer.", ToHome: "Naar het helpcentrum",
		Failed: "Dat is niet gelukt", TryLater: "Probeer het later opnieuw.", Busy: "De server is druk. Probeer het zo opnieuw.",
		NotCounted: "Je stem is niet geteld. Laad het artikel opnieuw en probeer het nog eens.", Unreadable: "De link naar deze pagina is niet leesbaar.", Back: "Terug naar het artikel",
		Results: "Resultaten voor ‘#’", NoResults: "Niets gevonden.", TryElse: "Probeer andere of minder woorden.",
		Previous: "Vorige pagina", Next: "Volgende pagina", Page: "Pagina # van #",
		All: "Alle # artikelen", Elsewhere: "Dit artikel is nog niet beschikbaar in het Nederlands. Je leest het in deze taal: #.",
	},
	"pt": {
		Welcome: "Como podemos ajudar?", Day: "2 de # de 2006",
		Months: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
		Skip:   "Ir para o conteúdo", Home: "Central de ajuda", Language: "Idioma", Search: "Pesquisar", SearchHint: "Pesquisar respostas",
		Popular: "Artigos populares", Articles: "Artigos", Other: "Mais artigos", Contents: "Nesta página", Updated: "Atualizado em",
		Helpful: "Isto ajudou?", Yes: "Sim", No: "Não", Thanks: "Obrigado pela sua opinião.",
		NotFound: "Página não encontrada", NotFoundHint: "Não há nada neste endereço, ou já não há.", ToHome: "Ir para a central de ajuda",
		Failed: "Isto não funcionou", TryLater: "Tente novamente mais tarde.", Busy: "O servidor está ocupado. Tente novamente daqui a pouco.",
		NotCounted: "O seu voto não foi contado. Recarregue o artigo e tente novamente.", Unreadable: "O endereço desta página não pode ser lido.", Back: "Voltar ao artigo",
		Results: "Resultados para “#”", NoResults: "Nada foi encontrado.", TryElse: "Tente outras palavras, ou menos palavras.",
		Previous: "Página anterior", Next: "Página seguinte", Page: "Página # de #",
		All: "Todos os # artigos", Elsewhere: "Este artigo ainda não está disponível em português. Está a lê-lo neste idioma: #.",
	},
}

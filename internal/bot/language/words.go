package language

import (
	"strings"

	"parley/internal/fulltext"
)

// ownLetters are those that of the known languages only one has.
var ownLetters = map[string]string{
	"de": "ß", "es": "ñ¿¡", "pt": "ãõ", "pl": "łąęśźżń", "tr": "ğış", "cs": "ěřů", "da": "øæ", "fr": "œ", "it": "ì",
}

// frequent are words of everyday questions, without those that mean nothing
// alone.
var frequent = map[string]string{
	"en": `the and is are was were my your our this that these those what when where which who how why can could would should will do does did don't doesn't
		have has had not with from for of to in on it i you we they he she there here but or if because about been want need please thanks thank hello`,
	"de": `der die das und ist sind war waren mein meine meinen meiner dein ihr ihre unser dieser diese dieses was wann wo welche wer wie warum kann können könnte
		würde soll wird werden habe haben hat hatte nicht kein keine mit von für aus zu im auf es ich du wir sie sich noch schon aber oder wenn weil bitte danke
		hallo ein eine einen einem auch mir mich`,
	"fr": `le la les et est sont était mon ma mes votre vos notre ce cette ces que quoi quand où quel quelle qui comment pourquoi peux peut pouvez puis voudrais
		veux dois sera ai avez avoir pas avec de des du pour dans sur je tu nous vous il elle ils mais ou si parce bonjour merci une un au aux ne suis fait
		c'est j'ai plus combien temps deux fois été`,
	"es": `el la los las y es son era mi mis tu su nuestro este esta estos que qué cuándo cuando dónde donde cuál quién cómo como por puedo puede podría quiero
		quisiera necesito debo será tengo tiene no con de del para en sobre yo nosotros usted ustedes ella pero o si porque hola gracias una un al me se
		está están hay muy cuánto tarda dos veces mucho han`,
	"it": `il lo la gli le e è sono era mio mia miei tuo vostro nostro questo questa questi che cosa quando dove quale chi come perché posso può potete vorrei
		voglio devo sarà ho hai ha avete non con di del della dei per nel nella su io noi voi lei ma o se ciao grazie una un al alla mi si anche`,
	"pt": `o os as e é são era meu minha meus seu sua nosso este esta isso que quando onde qual quem como porque posso pode poderia quero gostaria preciso
		devo será tenho tem foi não com de do da dos para em no na sobre eu nós você vocês ela mas ou se olá obrigado obrigada uma um ao me está estão muito`,
	"nl": `de het een en is zijn was mijn jouw uw onze deze dit dat wat wanneer waar welke wie hoe waarom kan kunnen zou wil moet wordt heb heeft hebben niet geen
		met van voor uit naar op ik jij je u wij we zij er nog al maar of als omdat graag bedankt hallo ook mij te om`,
	"pl": `i jest są był była mój moja moje twój wasz nasz ten ta to te co kiedy gdzie który która kto jak dlaczego czy mogę może można chcę chciałbym potrzebuję
		będzie mam ma nie z ze od do dla w na o ja ty my wy ale lub jeśli bo proszę dziękuję cześć dzień dobry się mi moją mojego`,
	"tr": `ve bir bu şu ne zaman nerede hangi kim nasıl neden niçin mi mı mu mü ben sen biz siz benim sizin için ile var yok değil ama veya eğer çünkü lütfen
		teşekkürler merhaba istiyorum olarak daha çok kadar sonra önce olan nereye bana`,
	"sv": `och är var min mitt mina din ditt er vår den det denna detta vad när hur vilken vem varför kan kunde skulle vill ska måste har hade inte ingen med av
		från för till på i jag du vi ni hon han men eller om eftersom tack hej en ett som att också mig`,
	"da": `og er var min mit mine din dit jeres vores den det denne dette hvad hvornår hvor hvilken hvem hvordan hvorfor kan kunne ville vil skal må har havde
		ikke ingen med af fra for til på i jeg du vi hun han men eller hvis fordi tak hej en et som at også mig`,
	"cs": `a je jsou byl byla můj moje tvůj váš náš ten ta to tento tato co kdy kde který která kdo jak proč mohu můžu může chci chtěl bych kolik dlouho trvá potřebuji bude mám má
		ne není s se z ze od do v na o já ty my vy ale nebo pokud protože prosím děkuji ahoj dobrý den si jsem mi mě moji`,
}

// byWord are the languages of each of these words, folded.
var byWord = index()

func index() map[string][]string {
	all := map[string][]string{}
	for language, list := range frequent {
		for word := range strings.FieldsSeq(list) {
			word = fulltext.Fold(word)
			all[word] = append(all[word], language)
		}
	}
	return all
}

package claims

import (
	"strconv"
	"strings"
)

// All words are folded. Those of the twelve languages stand side by side.

const percent = "%"

// symbols are currencies.
var symbols = map[string]string{"€": "EUR", "£": "GBP", "$": "$", "¥": "JPY", "₺": "TRY", "₹": "INR"}

// currencyNames are the units that are money.
var currencyNames = map[string]bool{
	"EUR": true, "GBP": true, "$": true, "USD": true, "JPY": true, "TRY": true, "INR": true, "PLN": true, "CZK": true, "kr": true, "SEK": true, "DKK": true, "NOK": true,
	"CHF": true, "cent": true, "CAD": true, "AUD": true, "BRL": true,
}

// alsoUnits are what a source says besides: 5 USD are $5, but $5 need not be USD.
var alsoUnits = map[string][]string{"USD": {"$"}, "SEK": {"kr"}, "DKK": {"kr"}, "NOK": {"kr"}}

// unitNames are the units of words.
var unitNames = table(map[string]string{
	"second": "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos secondo secondi seconden sekunda sekundy sekund saniye sekunder",
	"minute": "min mins minute minutes minuten minuto minutos minuti minuut minuta minuty minut dakika minuter minutter",
	"hour":   "h hr hrs hour hours stunde stunden std heure heures hora horas ora ore uur uren godzina godziny godzin godz saat timme timmar timer hodina hodiny hodin",
	"day":    "day days tag tage tagen jour jours dia dias giorno giorni dag dagen dagar dage dzien dni dniach gun gunde gunluk gunu dny dnu dnech",
	"business day": "werktag werktage werktagen arbeitstag arbeitstage arbeitstagen werkdag werkdagen arbetsdag arbetsdagar vardagar arbejdsdag arbejdsdage hverdage" +
		" weekdays",
	"week":  "week weeks woche wochen semaine semaines semana semanas settimana settimane weken tydzien tygodnie tygodni tygodniach hafta vecka veckor uge uger tyden tydny tydnu",
	"month": "month months monat monate monaten mois mes meses mese mesi maand maanden miesiac miesiace miesiecy ay manad manader maned maneder mesic mesice mesicu",
	"year":  "year years yr yrs jahr jahre jahren an ans annee annees ano anos anno anni jaar jaren rok lata lat roku yil ar let roky",
	percent: "percent prozent pourcent procent procenta yuzde",
	"kg":    "kg kilo kilos kilogram kilograms kilogramm kilogrammes kilogramos kilogrammi",
	"g":     "g gram grams gramm grammes gramos grammi",
	"cm":    "cm centimeter centimeters centimetre centimetres zentimeter",
	"mm":    "mm millimeter millimeters millimetre millimetres",
	"m":     "m meter meters metre metres metros metri",
	"km":    "km kilometer kilometers kilometre kilometres kilometern kilometros chilometri",
	"ml":    "ml milliliter milliliters millilitre millilitres",
	"l":     "l liter liters litre litres litros litri litern",
	"GB":    "gb gigabyte gigabytes",
	"MB":    "mb megabyte megabytes",
	"EUR":   "eur euro euros",
	"USD":   "usd us$",
	"$":     "dollar dollars",
	"GBP":   "gbp pound pounds pfund",
	"PLN":   "pln zl zloty zlote zlotych",
	"CZK":   "czk kc koruna koruny korun",
	"kr":    "kr kronor kroner kronen",
	"SEK":   "sek",
	"DKK":   "dkk",
	"NOK":   "nok",
	"CHF":   "chf franken",
	"TRY":   "tl lira",
	"JPY":   "jpy yen",
	"INR":   "inr",
	"CAD":   "cad",
	"AUD":   "aud",
	"BRL":   "brl r$",
	"cent":  "cent cents ct",
})

// ofBusiness are the words after days on which people work.
const ofBusiness = " ouvrables ouvres ouvrable habiles habil laborables laborable lavorativi lavorativo uteis util roboczych robocze roboczy "

// among reports whether a list, with spaces around each entry, has a word.
func among(list, word string) bool { return word != "" && strings.Contains(list, " "+word+" ") }

// table turns lists of words around.
func table(lists map[string]string) map[string]string {
	all := map[string]string{}
	for unit, list := range lists {
		for word := range strings.FieldsSeq(list) {
			all[word] = unit
		}
	}
	return all
}

// numbered turns lists of words, one for each number from 1, around.
func numbered(lists []string) map[string]int {
	all := map[string]int{}
	for i, list := range lists {
		for word := range strings.FieldsSeq(list) {
			all[word] = i + 1
		}
	}
	return all
}

// months are the names of months, with those short forms that are no words.
var months = numbered([]string{
	"january jan januar janner janvier enero gennaio janeiro januari styczen stycznia ocak leden ledna lednu",
	"february feb februar fevrier febrero febbraio fevereiro februari luty lutego subat unor unora unoru",
	"march mar marz mars marzo marco maart marzec marca mart marts brezen brezna breznu",
	"april apr avril abril aprile kwiecien kwietnia nisan duben dubna dubnu",
	"may mai mayo maggio maio mei maj maja mayis kveten kvetna kvetnu",
	"june jun juni juin junio giugno junho czerwiec czerwca haziran cerven cervna cervnu",
	"july jul juli juillet julio luglio julho lipiec lipca temmuz cervenec cervence cervenci",
	"august aug aout agosto augustus sierpien sierpnia agustos augusti srpen srpna srpnu",
	"september sep sept septembre septiembre settembre setembro wrzesien wrzesnia eylul zari",
	"october oct oktober okt octobre octubre ottobre outubro pazdziernik pazdziernika ekim rijen rijna rijnu",
	"november nov novembre noviembre novembro listopad listopada kasim listopadu",
	"december dec dezember dez decembre diciembre dicembre dezembro grudzien grudnia aralik prosinec prosince prosinci",
})

// alsoWords are months that mean something else without a day or a year. In
// Polish, listopad is November, and in Czech too; ekim and marca also have other
// meanings.
const alsoWords = " march marco marca mart kasim aralik "

// weekdayNames are the days of the week, Monday first. "-" ends the first part of
// a name in two.
var weekdayNames = numbered([]string{
	"monday mondays montag montags lundi lunes lunedi segunda- maandag poniedzialek poniedzialku pazartesi mandag pondeli",
	"tuesday tuesdays dienstag dienstags mardi martes martedi terca- dinsdag wtorek wtorku sali tisdag tirsdag utery",
	"wednesday wednesdays mittwoch mittwochs mercredi miercoles mercoledi quarta- woensdag sroda srode carsamba onsdag streda stredu",
	"thursday thursdays donnerstag donnerstags jeudi jueves giovedi quinta- donderdag czwartek czwartku persembe torsdag ctvrtek",
	"friday fridays freitag freitags vendredi viernes venerdi sexta- vrijdag piatek piatku cuma fredag patek",
	"saturday saturdays samstag samstags sonnabend samedi sabado sabato zaterdag sobota sobote cumartesi lordag sobotu",
	"sunday sundays sonntag sonntags dimanche domingo domenica zondag niedziela niedziele sondag nedele nedeli",
})

// A wordValue is a number that is written as a word, in one language only if the
// word means something else in others.
type wordValue struct{ value, only string }

// wordValues are the numbers that people write as words.
var wordValues = func() map[string]wordValue {
	all := map[string]wordValue{"on": {"10", "tr"}, "to": {"2", "da"}, "elf": {"11", ""}, "alti": {"6", "tr"}, "bes": {"5", "tr"}, "sex": {"6", "sv"}}
	for value, list := range map[int]string{
		1:  "one eins",
		2:  "two zwei deux dos due dois duas twee dwa dwie dwoch iki tva dva dve dvou",
		3:  "three drei trois tres tre drie trzy trzech uc tri",
		4:  "four vier quatre cuatro quattro quatro cztery czterech dort fyra fire ctyri ctyr",
		5:  "five funf cinq cinco cinque vijf piec pieciu fem pet peti",
		6:  "six sechs seis sei zes szesc szesciu seks sest sesti",
		7:  "seven sieben sept siete sette sete zeven siedem siedmiu yedi sju syv sedm sedmi",
		8:  "eight acht huit ocho otto oito osiem osmiu sekiz atta otte osm osmi",
		9:  "nine neun neuf nueve nove negen dziewiec dokuz nio ni devet deviti",
		10: "ten zehn dix diez dieci dez tien dziesiec dziesieciu tio deset deseti",
		11: "eleven onze once undici jedenascie elva elleve jedenact",
		12: "twelve zwolf douze doce dodici doze twaalf dwanascie tolv dvanact",
		14: "fourteen vierzehn quatorze catorce quattordici catorze veertien czternascie czternastu fjorton fjorten ctrnact ctrnacti",
		15: "fifteen funfzehn quinze quince quindici vijftien pietnascie femton femten patnact",
		20: "twenty zwanzig vingt veinte venti vinte twintig dwadziescia yirmi tjugo tyve dvacet",
		21: "einundzwanzig",
		24: "vierundzwanzig veinticuatro ventiquattro vierentwintig",
		28: "achtundzwanzig",
		30: "thirty dreissig trente treinta trenta trinta dertig trzydziesci otuz trettio tredive tricet",
		48: "achtundvierzig",
		60: "sixty sechzig soixante sesenta sessanta sessenta zestig szescdziesiat altmis sextio tres tresindstyve sedesat",
		90: "ninety neunzig noventa novanta negentig dziewiecdziesiat doksan nittio halvfems devadesat",
	} {
		for word := range strings.FieldsSeq(list) {
			if _, ok := all[word]; !ok || value < 60 {
				all[word] = wordValue{value: strconv.Itoa(value)}
			}
		}
	}
	return all
}()

// promised are beginnings of promises of what an answer cannot do, folded.
var promised = []string{
	" i will ", " i'll ", " i have refunded", " i have transferred", " i have forwarded", " i have cancelled", " i have canceled", " i've refunded", " i've forwarded", " i've cancelled",
	" i've transferred", " we will get back", " we'll get back", " i promise", " we promise", " i guarantee", " we guarantee", " guaranteed", " we will refund", " we'll refund", " let me check",
	" i am checking", " i'm checking", " i am transferring", " i'm transferring", " someone will contact", " a colleague will",
	" ich werde ", " ich habe ihre ", " ich habe sie ", " ich habe den ", " ich habe die ", " ich kummere mich", " ich leite ", " ich verspreche", " wir versprechen", " ich garantiere", " wir garantieren", " garantiert",
	" wir melden uns", " ich prufe", " wir werden ihnen", " ein kollege wird", " ich storniere", " ich erstatte", " wir erstatten ihnen",
	" je vais ", " je vous promets", " nous vous promettons", " je garantis", " nous garantissons", " j'ai transfere", " j'ai rembourse", " j'ai annule", " je verifie", " nous reviendrons vers vous",
	" nous vous recontacterons", " un collegue va", " je transfere", " je m'en occupe",
	" voy a ", " le prometo", " te prometo", " prometemos", " garantizo", " garantizamos", " he reembolsado", " he cancelado", " he transferido", " nos pondremos en contacto", " me encargo", " un companero le", " verificare ",
	" prometto", " promettiamo", " garantisco", " garantiamo", " ho rimborsato", " ho annullato", " ho trasferito", " mi occupero", " la ricontatteremo", " ti ricontatteremo", " verifichero", " provvedero", " un collega ",
	" prometo ", " garanto ", " garantimos", " vou verificar", " vou encaminhar", " vou cancelar", " reembolsei", " cancelei", " transferi ", " entraremos em contato", " entraremos em contacto", " um colega vai",
	" ik zal ", " ik beloof", " wij beloven", " we beloven", " ik garandeer", " wij garanderen", " we garanderen", " ik heb uw ", " ik heb je ", " ik ga ", " we nemen contact", " wij nemen contact", " een collega zal",
	" obiecuje", " obiecujemy", " gwarantuje", " gwarantujemy", " sprawdze ", " przekaze ", " anuluje ", " zwrocilem", " anulowalem", " przekazalem", " skontaktujemy sie", " nasz pracownik",
	" soz veriyorum", " soz veriyoruz", " garanti ediyoruz", " garanti ederim", " kontrol edecegim", " iletecegim", " iptal ettim", " iade ettim", " sizinle iletisime gececegiz", " size donecegiz",
	" jag ska ", " jag lovar", " vi lovar", " jag garanterar", " vi garanterar", " jag har aterbetalat", " jag har avbokat", " jag har skickat", " vi aterkommer", " jag kollar", " en kollega kommer",
	" jeg vil ", " jeg lover", " vi lover", " jeg garanterer", " vi garanterer", " jeg har refunderet", " jeg har annulleret", " jeg har sendt", " vi vender tilbage", " jeg undersoger", " en kollega vil",
	" slibuji", " slibujeme", " zarucuji", " zarucujeme", " overim ", " predam ", " zrusil jsem", " vratil jsem", " predal jsem", " ozveme se", " budeme vas kontaktovat", " kolega vas",
}

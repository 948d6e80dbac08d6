package wish

import (
	"strings"
)

// A table has the words of a language, folded and separated by spaces. "*" ends
// a prefix of at least four letters; "_" joins the words of a phrase.
type table struct {
	talk, want, person, anybody, machine, negation, ability, but, about, filler string
	joined, trailing                                                            bool
}

// languages are English, German, French, Spanish, Italian, Portuguese, Dutch,
// Polish, Turkish, Swedish, Danish and Czech.
var languages = []*lexicon{
	table{
		talk:     "speak talk chat connect connected transfer transferred escalate forward reach contact call phone put_me_through",
		want:     "want wanna need get give prefer like have demand request",
		person:   "human humans person people agent agents representative representatives rep operator advisor adviser employee supervisor manager staff staff_member team_member customer_service customer_support customer_care support_team support_agent live_chat live_support",
		anybody:  "someone somebody anyone anybody",
		machine:  "bot bots robot robots machine machines ai chatbot computer",
		negation: "not dont no never without neither nor wont doesnt didnt isnt stop",
		ability:  "can could cant cannot couldnt may possible why how there",
		but:      "but instead",
		about:    "about regarding from",
		filler:   "a an the to with real live actual some another any please pls now your you me my one thank thanks hi hello hey yes just only help support service us is i really even do would be right kindly hereby of for",
		joined:   true,
	}.lexicon(),
	table{
		talk:     "sprechen spreche reden rede chatten verbinden verbinde verbindet verbunden weiterleiten weitergeleitet durchstellen telefonieren anrufen kontaktieren erreichen unterhalten schreiben",
		want:     "will mochte wollen brauche benotige hatte gib gebt geben bekomme bekommen wunsche wurde hol holt holen haben verlange",
		person:   "mensch* person personen mitarbeiter* berater* sachbearbeiter* kundenservice kundendienst kundenbetreu* kundensupport kundenberater* servicemitarbeiter* supportmitarbeiter* ansprechpartner* agent agenten operator kollege kollegen kollegin vorgesetzte*",
		anybody:  "jemand jemanden jemandem",
		machine:  "bot bots roboter maschine maschinen ki computer chatbot automat automaten",
		negation: "nicht kein keine keinen keinem keiner ohne nie niemals",
		ability:  "kann konnte konnen konnten warum wieso wie",
		but:      "sondern aber",
		about:    "uber wegen",
		filler:   "ein eine einen einem einer nen der die das den dem mit zu an bitte gern gerne echt echte echten echter echtem richtig richtige richtigen richtiger richtigem lebend lebende lebenden menschlich menschliche menschlichen menschlicher ihr ihrem ihren ihrer eurem euren jetzt mal mich mir ich wir sie es uns auch nur von vom zum zur lieber hilfe hallo danke einfach endlich sofort doch wirklich",
		trailing: true,
	}.lexicon(),
	table{
		talk:     "parler discuter echanger contacter joindre transferer transferez passer passez connecter appeler relation mettez_moi communiquer",
		want:     "veux voudrais souhaite souhaiterais besoin faut aimerais prefere donnez avoir voulons exige",
		person:   "humain humaine humains personne conseiller conseillere conseillers agent agents operateur operatrice employe employee service_client service_clients service_clientele responsable interlocuteur collaborateur",
		anybody:  "quelqu_un",
		machine:  "robot robots bot machine machines ia chatbot automate ordinateur",
		negation: "pas ne n jamais sans aucun aucune",
		ability:  "puis peux peut pouvez pourrais pourrait possible comment pourquoi",
		but:      "mais plutot",
		about:    "propos sujet",
		filler:   "un une le la les de d des l a avec vrai vraie vrais reel reelle vivant vivante s il vous te plait svp stp me moi m j je mon votre vos en du au aux bonjour merci seulement directement etre mis mise physique veuillez par tout est ce que",
	}.lexicon(),
	table{
		talk:     "hablar hablo charlar chatear comunicar comunicarme comunicame comuniqueme contactar contactarme conectar conectame conecteme transferir transferirme transfiereme transfierame pasame paseme pasarme llamar llamarme atender atienda derivame",
		want:     "quiero quisiera queremos necesito prefiero deseo gustaria dame deme exijo",
		person:   "persona personas humano humana humanos agente agentes asesor asesora operador operadora representante empleado empleada encargado encargada supervisor supervisora ejecutivo ejecutiva servicio_al_cliente atencion_al_cliente soporte_humano",
		anybody:  "alguien",
		machine:  "bot bots robot robots maquina maquinas ia chatbot ordenador computadora contestador",
		negation: "no sin nunca ningun ninguna ninguno tampoco",
		ability:  "puedo puede puedes podria podrias pueden hay como por_que es_posible",
		but:      "sino pero",
		about:    "sobre acerca",
		filler:   "un una el la los las con a al de del real reales por favor me mi su ya solo ahora hola gracias verdad verdadera verdadero carne y hueso yo que ser",
	}.lexicon(),
	table{
		talk:     "parlare parlo parli chattare contattare contatto collegare collegatemi collegami trasferire trasferiscimi trasferitemi passare passami passatemi mettermi mettetemi chiamare comunicare",
		want:     "voglio vorrei vogliamo bisogno preferisco desidero serve dammi datemi avere pretendo",
		person:   "persona persone umano umana umani operatore operatrice operatori agente consulente addetto addetta impiegato responsabile assistente servizio_clienti assistenza_clienti essere_umano",
		anybody:  "qualcuno",
		machine:  "bot robot macchina macchine ia chatbot computer risponditore",
		negation: "non senza mai nessun nessuna nessuno",
		ability:  "posso puo possiamo potete potrei possibile come perche",
		but:      "ma bensi",
		about:    "riguardo sul sulla",
		filler:   "un una uno il la l lo i con a ad al all di d del vero vera reale in carne e ossa per favore piacere cortesia mi vostro vostra ora adesso subito solo ciao salve grazie direttamente ho io essere",
	}.lexicon(),
	table{
		talk:     "falar falo conversar contactar contatar contacto contato ligar transferir transfira transfere passar passe conectar conecte chamar atendido atendida encaminhar",
		want:     "quero queria queremos gostaria preciso prefiro desejo exijo da me_da",
		person:   "pessoa pessoas humano humana humanos atendente atendentes agente agentes operador operadora assistente_humano representante funcionario funcionaria consultor consultora supervisor gerente atendimento_humano apoio_ao_cliente servico_ao_cliente atendimento_ao_cliente suporte_humano",
		anybody:  "alguem",
		machine:  "bot bots robo robos robot maquina maquinas ia chatbot computador",
		negation: "nao sem nunca nenhum nenhuma jamais",
		ability:  "posso pode podia poderia consigo podem como porque por_que",
		but:      "mas senao",
		about:    "sobre",
		filler:   "um uma o a os as com para de do da real reais verdade verdadeiro verdadeira por favor pfv me minha seu sua ja so apenas agora ola oi obrigado obrigada carne e osso eu que ser atendimento",
	}.lexicon(),
	table{
		talk:     "spreken spreek praten praat chatten doorverbinden doorverbonden verbinden verbind bellen contact contacteren telefoneren",
		want:     "wil wilde willen nodig graag krijgen krijg liever geef eis",
		person:   "mens mensen persoon medewerk* klantenservice klantendienst agent agenten adviseur collega helpdesk operator vertegenwoordiger klantenservicemedewerk*",
		anybody:  "iemand",
		machine:  "bot bots robot robots machine computer chatbot ai",
		negation: "niet geen nooit zonder",
		ability:  "kan kunnen mag waarom hoe",
		but:      "maar",
		about:    "over",
		filler:   "een de het met echt echte levend levende menselijke van jullie uw je alsjeblieft alstublieft aub svp ik we nu gewoon mij me even dank bedankt hallo hoi alleen te tot worden zou met van direct",
		trailing: true,
	}.lexicon(),
	table{
		talk:     "rozmawiac porozmawiac polaczyc polacz polaczcie polaczenie pogadac przelacz przelaczyc przelaczcie skontaktowac kontakt zadzwonic rozmowa rozmowy rozmowe",
		want:     "chce chcialbym chcialabym chcemy potrzebuje prosze poprosze wole daj dajcie zadam",
		person:   "czlowiek* ludzmi konsultant* pracownik* osoba osobe doradc* agent agentem agenta operator* przedstawiciel* kierownik* obslug*",
		anybody:  "kims ktos kogos",
		machine:  "bot bota botem botami robot* maszyn* automat* chatbot* komputer* ai",
		negation: "nie bez zaden zadnego zadnym nigdy",
		ability:  "moge mozna mozemy czy jak dlaczego",
		but:      "ale lecz tylko",
		about:    "temat",
		filler:   "z ze prawdziw* zywym zywa zywego zywy do o to sie mnie mi teraz jakims waszym wasz wasza dzien dobry dziekuje juz po prostu klienta biura biurem ja panstwa",
	}.lexicon(),
	table{
		talk:     "gorusmek goruseyim gorusebilir gorusebilirim konusmak konusayim konusabilir konusabilirim baglan* baglar baglayin bagla baglamak aktar* iletisim iletisime yazismak ulasmak ulasabilirim",
		want:     "istiyorum istiyoruz isterim lazim ihtiyacim gerekiyor verin ver",
		person:   "insan insanla insana insanlar* temsilci* yetkili* operator* calisan* gorevli* danisman* musteri_hizmetleri*",
		anybody:  "biri biriyle birisi birisiyle birine",
		machine:  "robot* makine* chatbot* yapay botla bota botlar botlarla",
		negation: "istemiyorum istemem istemiyoruz degil yok gerek_yok olmadan gerekmiyor",
		ability:  "mi miyim misiniz nasil neden",
		but:      "ama fakat",
		about:    "hakkinda",
		filler:   "bir gercek canli ile lutfen bana beni size sizin bu hemen simdi artik merhaba tesekkurler hizmetleri hizmetleriyle musteri de zeka",
		trailing: true,
	}.lexicon(),
	table{
		talk:     "prata tala chatta koppla kopplad kopplas kontakta kontakt ringa snacka",
		want:     "vill behover onskar skulle fa ge kraver",
		person:   "manniska manniskor person personer medarbetare handlaggare agent agenter kundtjanst* kundservice operator radgivare kundsupport chef representant",
		anybody:  "nagon nan",
		machine:  "bot bots botten boten robot robotar roboten maskin maskiner ai dator chatbot chattbot",
		negation: "inte ingen inga inget aldrig ej",
		ability:  "kan kunna far varfor hur gar",
		but:      "men utan",
		about:    "om angaende",
		filler:   "en ett den med riktig riktiga levande verklig faktisk till er era hos nu tack snalla jag bara hej istallet mig att gora av vanligen personlig",
	}.lexicon(),
	table{
		talk:     "tale snakke chatte omstille omstilles omstillet viderestille viderestilles viderestillet kontakte kontakt ringe forbinde forbindes",
		want:     "vil onsker behov brug gerne fa giv kraever",
		person:   "menneske mennesker person personer medarbejder* agent agenter kundeservice* operator radgiver kundesupport chef konsulent sagsbehandler",
		anybody:  "nogen",
		machine:  "bot bots botten robot robotter robotten maskine maskiner ai computer chatbot chatrobot",
		negation: "ikke ingen intet aldrig uden",
		ability:  "kan kunne ma hvorfor hvordan",
		but:      "men",
		about:    "om angaende",
		filler:   "en et den med rigtig rigtigt rigtige levende virkelig til jer jeres nu tak venligst jeg bare hej mig at for stillet af i stedet",
	}.lexicon(),
	table{
		talk:     "mluvit promluvit hovorit pohovorit spojit spojte spoj prepojit prepojte prepoj kontaktovat zavolat chatovat kontakt",
		want:     "chci chtel chtela chceme potrebuji potrebuju prosim rad rada dejte zadam",
		person:   "clovek* lidmi osobou osobu osoba operator* pracovnik* zamestnanc* zamestnanec agent agentem poradc* zastupc* zakaznick*",
		anybody:  "nekym nekoho nekdo",
		machine:  "botem botovi robot* automat* stroj strojem chatbot* pocitac* ai",
		negation: "ne nechci nechceme nepotrebuji nepotrebuju bez zadny zadneho zadnym nikdy nechtel nechtela",
		ability:  "mohu muzu muzete mohl mohla lze jak proc",
		but:      "ale nybrz",
		about:    "ohledne",
		filler:   "s se zivym zivou ziveho zivy skutecn* realn* opravdov* nejakym vasim vasi mne me mi ted dobry den uz jen dekuji bych ja na k podporou podpora podporu linku linkou hned",
	}.lexicon(),
}

// lexicon turns a table into what is looked up.
func (t table) lexicon() *lexicon {
	l := &lexicon{words: map[string]class{}, prefixes: map[string]class{}, joined: t.joined, trailing: t.trailing}
	for class, list := range map[class]string{
		talk: t.talk, want: t.want, person: t.person, anybody: t.anybody, machine: t.machine, negation: t.negation, ability: t.ability, but: t.but, about: t.about, filler: t.filler,
	} {
		for word := range strings.FieldsSeq(list) {
			prefix, open := strings.CutSuffix(word, "*")
			if spaced := strings.ReplaceAll(prefix, "_", " "); spaced != prefix {
				l.phrases = append(l.phrases, phrase{spaced, class})
			}
			if open {
				l.prefixes[prefix] |= class
			} else {
				l.words[prefix] |= class
			}
		}
	}
	return l
}

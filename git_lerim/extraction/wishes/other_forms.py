"""Forms of rules for all cases in other languages, such as `Keine Emojis in Commits`."""

from git_lerim.extraction.wishes.patterns import Rules, any_of

GERMAN = Rules(
    forms=any_of(
        r"^(?:bitte )?frag(?:e|t)? (?:mich|uns|bitte|erst|vorher|immer|zuerst|"
        r"\s)+,? ?(?:bevor|ehe|wenn) (?:du|ihr) (?!anf|beginn|start|weiter|losleg)(?!(?:das|"
        r"den|die|dies\w*|es|ihn|sie)\b)",
        r"\bzur (?:regel|gewohnheit)\b|^(?:bitte )?(?:\w+ )?(?:regel|konvention): \w",
        r"^(?:bitte )?keine[nrms]? (?!(?:ahnung|fehler|änderung\w*|warnung\w*|probleme?|zeit|"
        r"lust|tests?)\b)[\w-]+(?: [\w-]+){0,2} (?:in|im|ohne|für|außerhalb|innerhalb|"
        r"unter)\b(?! dies)(?! (?:de[mnr]|die|das)\b(?! (?:code|repo\w*|projekt|api|tests?|"
        r"doku\w*)\b))",
        r"^(?:bitte )?(?:bevorzuge?|vermeide?)\b(?! (?:den|die|das|dies\w*|option)\b)",
        r"^(?:bitte )?(?:jedes mal,? wenn|sobald|wenn) (?:du|ihr|man|wir) (?:ein\w*|neue\w*|"
        r"etwas)\b[^,]*, \w",
        r"^(?:bitte )?(?:fass|änder|bearbeit|rühr)\w* (?:bitte )?nichts (?:unter|in|"
        r"unterhalb)\b",
        r"^(?:bitte )?(?:schreibe? )?(?:bitte )?(?:kommentare|commit-?nachrichten|commits|"
        r"docstrings|tests|\w+namen|funktionen|klassen|methoden|fehlermeldungen|branches|"
        r"migrationen|doku\w*)(?: und [\w-]+)?,? (?:bitte |nur |immer )*(?:auf|in|müssen|"
        r"sollen|sollten|dürfen|gehören|kommen|bleiben|beginnen)\b",
        r"^(?:bitte )?(?:halte?|verwende|benutze?|nutze?|benenne) (?!(?:die|den|das|dem|der|"
        r"dies\w*|ein\w*|mein\w*|es|sie|ihn|zwei|drei|bitte|port|version)\b)[\w-]+"
        r" (?:\w+ )?(?:für|statt|unter|klein|kurz|nach|als)\b",
    ),
    universal=any_of(
        r"^(?!.*\b(?:jetzt|wieder|noch|dies\w+|drei|vier|zwei|seit|nach dem|neu (?:ge|"
        r"zu)\w+)\b)(?:bitte )?(?:jede[rsnm]?|alle|keine?[rsnm]?)(?: [\w-]+){1,5}? (?:muss|"
        r"müssen|soll(?:en|te|ten)?|darf|dürfen|brauch(?:t|en))\b",
    ),
)
_AT_WORK = r"(?:branche?|rama|pr|pull request|merge request|diff|patch|stash|ticket|sprint)\b"
GERMAN_AT_HAND = any_of(
    rf"^(?:alle|jede[rnms]?)(?: [\w-]+){{1,2}} (?:im|(?:in|aus|auf) (?:de|meine|seine|ihre)[mr]) "
    rf"{_AT_WORK}",
    r"^alle (?:\w+ )?(?:änderungen|commits)\b.*\b(?:zurückgenommen|zurückgesetzt|rückgängig|"
    r"revert\w+)\b",
    r"\bbevor du (?:anfängst|beginnst|loslegst|startest|weitermachst)$|"
    r"^ich (?:möchte|will|würde gern\w*|muss) (?!.*\b(?:immer|jede\w*|alle\w*|bei|nie|bevor|vor)\b)"
    r".*\b(?:sehen|wissen|lesen|anschauen|ansehen|verstehen)$",
)
FRENCH_AT_HAND = any_of(
    rf"^tou(?:s|tes) (?:les|mes) \w+ (?:de|dans|sur) (?:la|ma|cette|le|mon|ce) {_AT_WORK}",
    r"^je (?:veux|voudrais|dois) (?:d'abord )?(?:voir|savoir|lire)\b"
    r"(?!.*\b(?:chaque|toujours|avant|tou(?:s|tes))\b)",
)
SPANISH_AT_HAND = any_of(
    rf"^tod[oa]s (?:l[oa]s|mis) \w+ (?:de|en) (?:la|mi|esta|el|este) {_AT_WORK}",
    r"^(?:quiero|quisiera|tengo que|necesito) (?:ver|saber|leer)\b"
    r"(?!.*\b(?:cada|siempre|antes|tod[oa]s)\b)",
)
DUTCH = Rules(
    forms=any_of(
        r"^(?:graag )?vraag (?:het )?(?:mij|me|ons)(?: eerst)? voordat je (?!begint|start|"
        r"verder)(?!(?:de|het|dit|deze)\b)",
    ),
    universal=any_of(
        r"^(?!.*\b(?:nu|weer|nog|deze|drie|twee|sinds)\b)(?:elke?|iedere?|alle|"
        r"geen)(?: [\w-]+){1,4}? (?:moet(?:en)?|mag|mogen|hoort|horen)\b",
    ),
)
FRENCH = Rules(
    forms=any_of(
        r"^demandez?-(?:moi|nous)(?: [\w']+){0,3}? avant (?:de |d')(?!commencer|continuer|"
        r"démarrer|\w+ (?:le|la|les|ce|cette)\b)",
        r"\bcomme (?:règle|principe)\b|\bl'habitude d\w*\b|^(?:nouvelle )?règle ?: \w",
        r"^(?:s'il te plaît,? )?pas d(?:e |')(?!erreur|changement|problème|nouvelle|"
        r"test)[\w'-]+(?: [\w'-]+){0,2} dans\b",
        r"^(?:quand|dès que|lorsque|chaque fois que|si) (?:tu|vous|on) \w+ (?:un|une|des|"
        r"de nouve\w+)\b[^,]*, \w",
        r"^(?:évite|évitez) (?:les|des|d'|de|tout)",
        r"^(?:écris |écrivez )?(?:les |des )?(?:commentaires|messages de commit|noms de \w+|"
        r"fonctions|tests|docstrings|branches|migrations)\b.* (?:en (?:anglais|français)|"
        r"doivent|devraient|restent|vont)\b",
    ),
    universal=any_of(
        r"^(?!.*\b(?:maintenant|encore|ce(?:s|tte)? \w+|trois|deux|quatre|de nouveau|"
        r"depuis)\b)(?:chaque|tou(?:s|tes?|t)(?: les?| la)?|aucune?)(?! (?:trois|"
        r"deux)\b)(?: [\w'-]+){1,5}? (?:ne )?(?:doi(?:t|vent)|devrai(?:t|ent)|peu(?:t|vent)|"
        r"nécessite(?:nt)?)\b",
    ),
)
SPANISH = Rules(
    forms=any_of(
        r"^(?:pregúntame|consúltame|avísame)(?: \w+)? antes de (?!empezar|continuar|"
        r"seguir)(?!\w+ (?:el|la|los|las|est\w)\b)",
        r"\b(?:como|una) (?:regla|norma|costumbre)\b|^(?:nueva )?(?:regla|norma): \w",
        r"^(?:por favor,? )?nada de \w+(?: \w+){0,2} en\b",
        r"^(?:cuando|cada vez que|si) \w+[ae]s un[ao]?\b[^,]*, \w",
        r"^(?:escribe )?(?:los |las )?(?:comentarios|mensajes de commit|nombres de \w+|"
        r"funciones|tests|pruebas|ramas|migraciones)\b.* (?:en (?:inglés|español)|deben?|"
        r"van)\b",
    ),
    universal=any_of(
        r"^(?!.*\b(?:ahora|otra vez|est[aeo]s?|tres|dos|desde)\b)(?:cada|tod[oa]s?(?: l[oa]s|"
        r" el| la)?|ningun[oa]|ningún)(?: [\w-]+){1,5}? (?:no )?(?:deb\w+|tienen? que|"
        r"necesitan?|pueden?)\b",
    ),
)
PORTUGUESE = Rules(
    forms=any_of(
        r"^(?:me )?pergunt\w+(?:-me)? antes de (?!começar|continuar)(?!\w+ (?:o|a|os|as|"
        r"est\w+)\b)",
    ),
    universal=any_of(
        r"^(?!.*\b(?:agora|de novo|est[ae]s?|três|dois|duas|desde)\b)(?:cada|"
        r"tod[oa]s?(?: [oa]s?)?|nenhum\w*)(?: [\w-]+){1,5}? (?:não )?(?:deve\w*|tem que|"
        r"têm que|precisam?|pode\w*)\b",
    ),
)
ITALIAN = Rules(
    forms=any_of(
        r"^chiedi(?:mi)?(?: \w+)? prima di (?!iniziare|cominciare|continuare)(?!\w+ (?:il|la|"
        r"lo|i|le|quest\w+)\b)",
    ),
    universal=any_of(
        r"^(?!.*\b(?:adesso|di nuovo|quest\w+|tre|due|ancora)\b)(?:ogni|tutt[ie](?: i| gli|"
        r" le)?|nessun\w*)(?: [\w'-]+){1,5}? (?:non )?(?:dev\w+|dovrebbe\w*|può|possono)\b",
    ),
)
POLISH = Rules(
    forms=any_of(
        r"^(?:za)?pytaj (?:mnie )?(?:zanim|przed)\b(?! zaczniesz)",
    ),
    universal=any_of(
        r"^(?!.*\b(?:teraz|znowu|t[eęya]n?|trzy|dwa|jeszcze)\b)(?:każd\w+|wszystkie|"
        r"żadn\w+)(?: [\w-]+){1,5}? (?:nie )?(?:mus\w+|powin\w+|może|mogą|ma mieć|mają)\b",
    ),
)
RUSSIAN = Rules(
    forms=any_of(
        r"^(?:спрашивай|спроси|спрашивайте) (?:меня )?(?:перед|прежде чем)\b(?! (?:начать|"
        r"начнёшь))",
    ),
    universal=any_of(
        r"^(?!.*\b(?:сейчас|снова|эт\w+|три|два|ещё)\b)(?:кажд\w+|все|ни один|"
        r"никак\w+)(?: [\w-]+){1,5}? (?:не )?долж\w+\b",
    ),
)

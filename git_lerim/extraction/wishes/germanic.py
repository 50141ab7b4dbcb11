"""German and Dutch wishes."""

# ruff: noqa: E501  a pattern reads best whole

from git_lerim.extraction.wishes.patterns import Language, any_of

GERMAN = Language(
    explicit=any_of(
        r"\b(?:ab (?:jetzt|sofort)|von (?:jetzt|nun) an|künftig|zukünftig|in zukunft|fortan|merk(?:e)? dir|denk(?:e)? (?:bitte )?daran|bitte beachte|vergiss nicht)\b",
        r"\b(?:immer|nie|niemals|stets|grundsätzlich|ausnahmslos|keinesfalls|auf keinen fall|überall)\b",
        r"^(?:bei uns|in (?:diesem|unserem) (?:repo|repository|projekt|team)|in dieser codebasis)\b",
        r"\bich (?:bevorzuge|hasse)\b|\b(?:ist|sind|wäre[n]?) mir (?:\w+ ){0,4}?lieber\b|\bmir (?:ist|sind) .{3,} lieber\b|\bich (?:möchte|will|hätte gern|mag)\b.*\b(?:jede[nrms]?|alle|keine[nrms]?|lieber|nur)\b",
        r"^(?:bitte )?(?:hör(?:e|t)? (?:bitte )?auf|lass (?:das|bitte))\b",
        r"\bkeine[nrms]? (?:ausnahmen?)\b|\bvor jede[mnr] (?:commit|push|release|merge)\b",
    ),
    general=any_of(
        r"^(?:hier )?(?:verwenden|benutzen|nutzen|schreiben|machen|nehmen|committen|testen) wir\b|^wir (?:\w+en) (?:hier |\w+ ){0,4}?(?:keine[nrms]?|nur|nicht|hier|statt)\b",
        r"^(?:bitte )?keine[nrms]? [\wäöüß-]+\b",
        r"^(?:bitte )?(?:verwende?|benutze?|nutze?|nimm|schreibe?|mach|halte?) .{2,60}\b(?:statt|anstatt|anstelle|nicht|hier|kurz|einheitlich)\b",
        r"\b(?:jede[nrms]?|alle) [\wäöüß-]+(?: [\wäöüß-]+){0,3}? (?:muss|müssen|soll(?:en)?|sollte[n]?|braucht|brauchen|bekommt|bekommen|darf|dürfen|hat|haben|gehört|gehören|wird|werden)\b",
        r"^(?:bitte )?(?!(?:das|der|die|es|ich|er|sie|ein|eine|mein|dies|diese|hier|leider|geht|gehen|warum|wir|du)\b)[\wäöü]+ (?:bitte )?(?:\S+ ){0,6}?(?:nicht|niemals)\b(?: \w+)?(?:,|$)",
        r"^(?:bitte )?(?:wenn|sobald|falls|bevor|nachdem) (?:du|ihr|man|wir|eine?)\b[^,]{3,80}, (?:\w+)",
        r"^(?:[\wäöüß-]+(?: und [\wäöüß-]+)?) (?:bitte |heißen |sind |haben |gehören |werden |müssen |dürfen |kommen |stehen )(?:\S+ ){0,6}?(?:auf|in|nicht|nichts|mit|klein|groß|englisch|nur|ins|unter)\b|\bhaben .{3,40} nichts verloren\b|^in der (?:oberfläche|doku\w*|ui)\b",
    ),
    neither=any_of(
        r"\?",
        r"^(?:warum|wieso|weshalb|wann|was|wer|wo|wie|welche[rsn]?|kann(?:st)?|könn\w+|soll(?:en)? (?:wir|ich)|ist|sind|hat|gibt)\b",
        r"\b(?:gestern|heute|morgen|vorerst|erstmal|erst mal|fürs erste|im moment|gerade|noch nicht|diesmal|bis (?:morgen|freitag|montag)|diese woche|schon wieder)\b",
        r"\b(?:steht|sagt|sagte|meint|behauptet|laut)\b|^ich (?:habe|hab|hatte|war|bin|vergesse|verstehe|verstand|wusste|dachte)\b|\b(?:war|waren|hatte|hatten|ging|lief|kam|hat|habe|haben) .*(?:immer|nie)\b|\b(?:immer|nie) (?:noch|wieder|\w+t)$",
        r"\b(?:danke|super|toll|prima|haha)\b|\bschlägt\b|\bfehlgeschlagen\b",
    ),
)
DUTCH = Language(
    explicit=any_of(
        r"\b(?:voortaan|vanaf nu|in het vervolg|in de toekomst|onthoud(?: dat)?|vergeet niet|denk eraan)\b",
        r"\b(?:altijd|nooit|overal|zonder uitzondering)\b",
        r"^(?:bij ons|in (?:deze|dit|onze?) (?:repo|repository|project|codebase|team))\b",
        r"\bik (?:wil|heb|gebruik|vind|haat|zie)\b.*\b(?:liever|geen|elke|alle)\b|^(?:graag )?(?:hou(?:d)? op met|stop met)\b|\bvoor elke (?:commit|push|release|merge)\b",
    ),
    general=any_of(
        r"^(?:graag |alsjeblieft )?geen [\w-]+\b|^gebruik (?:hier )?(?:geen|alleen)\b|^gebruik .{2,60}\b(?:in plaats van|niet|hier|liever)\b",
        r"\b(?:moet|moeten|mag|mogen|dient|dienen) (?:\w+ ){0,4}?(?:geen|niet|alleen|een)\b",
        r"^(?:hier )?(?:gebruiken|schrijven|spreken|testen|zetten) we\b|^we (?:gebruiken|schrijven|doen|zetten|willen|testen)\b.*\b(?:geen|alleen|hier|niet)\b|^in de (?:interface|ui|documentatie)\b",
        r"^(?:elke?|ieder[e]?|alle) [\w -]{2,40}\b(?:moet|moeten|krijgt|hoort|horen|heeft|hebben|is|zijn)\b",
        r"^(?:als|wanneer|zodra|voordat) (?:je|we|er)\b[^,]{3,80}, \w+|^blijf (?:\w+ ){0,5}?af\b|^\w+ (?:\w+ ){0,4}?niet\b(?: \w+)?$",
        r"^[\w-]+(?:en|s) (?:zijn|beginnen|horen|komen|staan|schrijven we) (?:\w+ ){0,5}?(?:in|met|op|niet|onder)\b",
    ),
    neither=any_of(
        r"\?",
        r"^(?:waarom|hoe|wanneer (?:moet|is|zijn|kan)|wat|wie|welke|kan|kun|zou|is|zijn|heeft)\b",
        r"\b(?:gisteren|vandaag|morgen|voorlopig|even|nu even|deze week|weer|tot (?:morgen|vrijdag)|nog niet)\b",
        r"^ik (?:snap|begrijp|vergeet|had|was|wist|dacht)\b|\b(?:zegt|staat|volgens)\b|\b(?:was|had|ging|werkte|faalde|mislukt\w*) .*(?:altijd|nooit)\b|\b(?:altijd|nooit) (?:leuk|mooi|fijn)\b|\b(?:bedankt|dank|top|haha)\b",
    ),
)

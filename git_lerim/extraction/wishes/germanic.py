"""Patterns of standing wishes in German and Dutch."""

from git_lerim.extraction.wishes.patterns import Language, any_of

GERMAN = Language(
    explicit=any_of(
        r"\b(?:ab (?:jetzt|sofort)|von (?:jetzt|nun) an|künftig|zukünftig|in zukunft|fortan|"
        r"merk(?:e)? dir|denk(?:e)? (?:bitte )?daran|bitte beachte|vergiss nicht)\b",
        r"\b(?:immer|nie|niemals|stets|grundsätzlich|ausnahmslos|keinesfalls|auf keinen fall|"
        r"überall)\b",
        r"^(?:bei uns|in (?:diesem|unserem) (?:repo|repository|projekt|team)|"
        r"in dieser codebasis)\b",
        r"\bich (?:bevorzuge|hasse)\b|\b(?:ist|sind|wäre[n]?) mir (?:\w+ ){0,4}?lieber\b|"
        r"\bmir (?:ist|sind) .{3,} lieber\b|\bich (?:möchte|will|hätte gern|"
        r"mag)\b.*\b(?:jede[nrms]?|alle|keine[nrms]?|lieber|nur)\b",
        r"^(?:bitte )?(?:hör(?:e|t)? (?:bitte )?auf|lass (?:das|bitte))\b",
        r"\bkeine[nrms]? (?:ausnahmen?)\b|\bvor jede[mnr] (?:commit|push|release|merge)\b",
    ).search,
    general=any_of(
        r"^(?:hier )?(?:verwenden|benutzen|nutzen|schreiben|machen|nehmen|committen|testen) wir\b|"
        r"^wir (?:\w+en) (?:hier |\w+ ){0,4}?(?:keine[nrms]?|nur|nicht|hier|statt)\b",
        r"^(?:bitte )?kein(?:e[nrms]?)? [\wäöüß.-]+\b",
        r"^[\wäöüß-]+ (?:schreiben|nutzen|verwenden|benutzen|machen|halten|benennen|legen|testen|"
        r"committen|dokumentieren) wir\b",
        r"^ich (?:möchte|will|hätte gern\w*),? dass (?!du\b|das\b|der\b|die\b)",
        r"^(?:bitte )?(?:verwende?|benutze?|nutze?|nimm|schreibe?|mach|halte?) .{2,60}\b(?:statt|"
        r"anstatt|anstelle|nicht|hier|kurz|einheitlich)\b",
        r"\b(?:jede[nrms]?|alle) [\wäöüß-]+(?: [\wäöüß-]+){0,3}? (?:muss|müssen|soll(?:en)?|"
        r"sollte[n]?|braucht|brauchen|bekommt|bekommen|darf|dürfen|hat|haben|gehört|gehören|wird|"
        r"werden)\b",
        r"^(?:bitte )?(?!(?:das|der|die|es|ich|er|sie|ein|eine|mein|dies|diese|hier|leider|geht|"
        r"gehen|warum|wir|du)\b)[\wäöü]+ (?:bitte )?(?:\S+ ){0,6}?(?:nicht|"
        r"niemals)\b(?: \w+)?(?:,|$)",
        r"^(?:bitte )?(?:wenn|sobald|falls|bevor|nachdem) (?:du|ihr|man|wir|"
        r"eine?)\b[^,]{3,80}, (?:\w+)",
        r"^(?:[\wäöüß-]+(?: und [\wäöüß-]+)?) (?:bitte |heißen |sind |haben |gehören |werden |"
        r"müssen |dürfen |kommen |stehen )(?:\S+ ){0,6}?(?:auf|in|nicht|nichts|mit|klein|groß|"
        r"englisch|nur|ins|unter)\b|\bhaben .{3,40} nichts verloren\b|^in der (?:oberfläche|"
        r"doku\w*|ui)\b",
    ).search,
    neither=any_of(
        r"\?",
        r"^(?:warum|wieso|weshalb|wann|was|wer|wo|wie|welche[rsn]?|kann(?:st)?|könn\w+|"
        r"soll(?:en)? (?:wir|ich)|ist|sind|hat|gibt)\b",
        r"\b(?:gestern|heute|morgen|vorerst|erstmal|erst mal|fürs erste|im moment|gerade|"
        r"noch nicht|diesmal|bis (?:morgen|freitag|montag)|diese woche|schon wieder)\b",
        r"\b(?:steht|sagt|sagte|meint|behauptet|laut)\b|^ich (?:habe|hab|hatte|war|bin|vergesse|"
        r"verstehe|verstand|wusste|dachte)\b|\b(?:war|waren|hatte|hatten|ging|lief|kam|hat|habe|"
        r"haben) .*(?:immer|nie)\b|\b(?:immer|nie) (?:noch|wieder|\w+t)$",
        r"\b(?:danke|super|toll|prima|haha)\b|\bschlägt\b|\bfehlgeschlagen\b",
    ).search,
)
DUTCH = Language(
    explicit=any_of(
        r"\b(?:voortaan|vanaf nu|in het vervolg|in de toekomst|onthoud(?: dat)?|vergeet niet|"
        r"denk eraan)\b",
        r"\b(?:altijd|nooit|overal|zonder uitzondering)\b",
        r"^(?:bij ons|in (?:deze|dit|onze?) (?:repo|repository|project|codebase|team))\b",
        r"\bik (?:wil|heb|gebruik|vind|haat|zie)\b.*\b(?:liever|geen|elke|alle)\b|"
        r"^(?:graag )?(?:hou(?:d)? op met|stop met)\b|\bvoor elke (?:commit|push|release|merge)\b",
    ).search,
    general=any_of(
        r"^(?:graag |alsjeblieft )?geen [\w-]+\b|^gebruik (?:hier )?(?:geen|alleen)\b|"
        r"^gebruik .{2,60}\b(?:in plaats van|niet|hier|liever)\b",
        r"\b(?:moet|moeten|mag|mogen|dient|dienen) (?:\w+ ){0,4}?(?:geen|niet|alleen|een)\b|"
        r"^(?!(?:de|het|dit|dat|deze|die|ik|we|wij|je|er)\b)[\w-]+(?: [\w-]+){0,2}? (?:moeten|"
        r"mogen|horen|dienen) ",
        r"^wij? \w+en (?:onze|alle|geen|elke)\b|\bik wil dat je eerst\b.*\bvoordat je\b",
        r"^(?:hier )?(?:gebruiken|schrijven|spreken|testen|zetten) we\b|^we (?:gebruiken|"
        r"schrijven|doen|zetten|willen|testen)\b.*\b(?:geen|alleen|hier|niet)\b|"
        r"^in de (?:interface|ui|documentatie)\b",
        r"^(?:elke?|ieder[e]?|alle) [\w -]{2,40}\b(?:moet|moeten|krijgt|hoort|horen|heeft|hebben|"
        r"is|zijn)\b",
        r"^(?:als|wanneer|zodra|voordat) (?:je|we|er)\b[^,]{3,80}, \w+|^blijf (?:\w+ ){0,5}?af\b|"
        r"^\w+ (?:\w+ ){0,4}?niet\b(?: \w+)?$",
        r"^[\w-]+(?:en|s) (?:zijn|beginnen|horen|komen|staan|schrijven we) (?:\w+ ){0,5}?(?:in|"
        r"met|op|niet|onder)\b",
    ).search,
    neither=any_of(
        r"\?",
        r"^(?:waarom|hoe|wanneer (?:moet|is|zijn|kan)|wat|wie|welke|kan|kun|zou|is|zijn|heeft)\b",
        r"\b(?:gisteren|vandaag|morgen|voorlopig|even|nu even|deze week|weer|tot (?:morgen|"
        r"vrijdag)|nog niet)\b",
        r"^ik (?:snap|begrijp|vergeet|had|was|wist|dacht)\b|\b(?:zegt|staat|volgens)\b|\b(?:was|"
        r"had|ging|werkte|faalde|mislukt\w*) .*(?:altijd|nooit)\b|\b(?:altijd|nooit) (?:leuk|mooi|"
        r"fijn)\b|\b(?:bedankt|dank|top|haha)\b",
    ).search,
)

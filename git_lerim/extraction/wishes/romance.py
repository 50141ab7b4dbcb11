"""Patterns of standing wishes in French, Spanish, Portuguese and Italian."""

from git_lerim.extraction.wishes.patterns import Language, any_of

FRENCH = Language(
    explicit=any_of(
        r"\b(?:désormais|dorénavant|à partir de (?:maintenant|là)|à l[’']avenir|dès maintenant|"
        r"rappelle(?:-toi|z-vous)|souviens-toi|n[’']oublie(?:z)? (?:pas|jamais)|retiens|retenez|"
        r"pense(?:z)? à)\b",
        r"\b(?:toujours|jamais|systématiquement|partout|sans exception)\b",
        r"^(?:ici|chez nous|dans (?:ce|notre|le) (?:projet|dépôt|code|repo))\b|"
        r"\bdans ce (?:projet|dépôt|repo)\b",
        r"\bje (?:préfère|déteste)\b|\bje (?:veux|voudrais|souhaite|n[’']aime pas)\b.*\b(?:chaque|"
        r"tous|toutes|pas de|que)\b|^(?:on|nous) préfér\w+\b|^(?:stp |s[’']il (?:te|"
        r"vous) plaît,? )?arrête(?:z)? (?:de|d[’'])",
        r"\bavant chaque (?:commit|push|release|merge|fusion)\b|\bil faut toujours\b",
    ).search,
    general=any_of(
        r"^(?:stp |s[’']il (?:te|vous) plaît,? )?(?:ne |n[’'])\w+\s+(?:pas|plus)\b|"
        r"\bne \w+ (?:pas|plus) (?:à|aux?|dans|les?|la)\b",
        r"^(?:on|nous) (?:n[’']|ne )?\w+(?:e|ons|t)\b.*\b(?:pas|que|uniquement|seulement|plutôt|"
        r"au lieu)\b|, on \w+",
        r"^(?:pas d[e’']|plus d[e’']|aucun(?:e)?) ?[\wéèêà.-]+\b|^évite(?:z)?\b|^(?:utilise|"
        r"préfère|écris|mets|garde)(?:z)? .{2,60}\b(?:au lieu|plutôt|et non|pas|en anglais|"
        r"court)\b",
        r"^(?:chaque|tou(?:t|te|s|tes)(?: les)?) [\wéèêàç' ]{3,40}\b(?:doi(?:t|vent)|a besoin|ont|"
        r"est|sont)\b|\b(?:doivent|doit) (?:être|commencer|rester|avoir)\b",
        r"^(?:quand|lorsque|si|avant de|après|dès que?|chaque fois que?) ?[’'\w].{3,80}, \w+|"
        r"^(?:les|nos) [\wéèêàç' ]{3,40}\b(?:commencent|s[’']écrivent|sont|restent|"
        r"vont)\b.*\b(?:en|par|dans|avec|sans)\b",
    ).search,
    neither=any_of(
        r"\?",
        r"^(?:pourquoi|comment|quand est|quel\w*|est-ce|qu[’']est|qui|où|faut-il)\b",
        r"\b(?:hier|aujourd[’']hui|demain|pour l[’']instant|pour le moment|cette (?:fois|semaine)|"
        r"encore|d[’']abord|jusqu[’']à)\b",
        r"^(?:je n[’']ai jamais|j[’']ai toujours|j[’']oublie|je ne comprends)\b|\b(?:dit|disait|"
        r"selon|indique)\b|\b(?:toujours|jamais) (?:été|eu|vu|compris|échoué|marché|la même|"
        r"le même|un plaisir)\b|\b(?:a|ont|était|avait|échoue|échouait|"
        r"plante) (?:\w+ )?(?:toujours|jamais)\b|\btoujours (?:cette|ce) \w+|\b(?:merci beaucoup|"
        r"merci pour|super|haha)\b",
    ).search,
)
SPANISH = Language(
    explicit=any_of(
        r"\b(?:a partir de ahora|de ahora en adelante|desde ahora|en adelante|en el futuro|"
        r"de aquí en adelante|recuerda(?: que)?|ten en cuenta|no olvides)\b",
        r"\b(?:siempre|nunca|jamás|en todas partes|sin excepción)\b",
        r"^(?:aquí|en (?:este|nuestro) (?:repositorio|repo|proyecto|código|equipo))\b",
        r"\bprefiero\b|\b(?:quiero|me gustaría|odio|no quiero|no me gusta)\b.*\b(?:cada|todos?|"
        r"todas?|que|sin|en todo)\b|^(?:por favor,? )?deja de\b|\bantes de cada (?:commit|push|"
        r"release|merge)\b|\b(?:está|queda) prohibido\b",
    ).search,
    general=any_of(
        r"^(?:por favor,? )?no (?!(?:sé|es|hay|me|se|lo|la|está|funciona|puedo|entiendo|tengo|veo|"
        r"quiero|importa|pasa|era|fue)\b)\w+(?:es|as|éis|áis)\b(?! (?:eso|esto)\b)",
        r"^(?:no )?(?:usamos|escribimos|utilizamos|ponemos|hacemos|preferimos)\b",
        r"^(?:usa|utiliza|escribe|pon|haz|mantén) .{2,60}\b(?:en (?:vez|lugar) de|y no|no|"
        r"en inglés|corto)\b|^(?:evita|nada de|sin) \w+",
        r"^(?:cada|tod[oa]s? (?:los|las|el|la)?) ?[\wáéíóúñ ]{3,40}\b(?:debe|deben|tiene|tienen|"
        r"necesita|necesitan|lleva|llevan|va|van)\b|\b(?:debe|deben) (?:ser|estar|ir|tener|llevar|"
        r"empezar)\b",
        r"^(?:cuando|si|antes de|después de|al) .{3,80}, (?:\w+)|^(?:los|las|"
        r"nuestr[oa]s) [\wáéíóúñ ]{3,40}\b(?:van|empiezan|se escriben|son|están)\b.*\b(?:en|con|"
        r"por|sin)\b",
    ).search,
    neither=any_of(
        r"\?|^¿",
        r"^(?:por qué|cómo|cuándo|qué|quién|dónde|cuál)\b",
        r"\b(?:ayer|hoy|mañana|por ahora|de momento|por el momento|esta (?:vez|semana)|otra vez|"
        r"todavía|aún|hasta que|primero)\b",
        r"^(?:yo )?(?:siempre|nunca) (?:he|había|vi|entendí|supe|tuve|me|fue|era|daba|falló|"
        r"pasaba|olvido|es (?:lo|la) mismo)\b|\b(?:dice|decía|según)\b|\b(?:fallaba|funcionaba|"
        r"falló|falla|fue|era|ha|había) (?:\w+ )?(?:siempre|nunca)\b|\bsiempre (?:el|la) mism\w+|"
        r"\b(?:gracias|genial|jaja)\b",
    ).search,
)
PORTUGUESE = Language(
    explicit=any_of(
        r"\b(?:a partir de agora|de agora em diante|daqui (?:em|para a?) (?:diante|frente)|"
        r"daqui pra frente|no futuro|lembre(?:-se)?(?: de)? que|não (?:se )?esqueça)\b",
        r"\b(?:sempre|nunca|jamais|sem exceção|em todo lugar)\b",
        r"^(?:aqui|n(?:este|esse|o nosso) (?:repositório|repo|projeto|código|time))\b",
        r"\b(?:eu )?prefiro\b|\b(?:quero|gostaria|odeio|não quero|não gosto)\b.*\b(?:cada|todos?|"
        r"todas?|que|sem|em todo)\b|^(?:por favor,? )?(?:para|pare) de\b|"
        r"\bantes de cada (?:commit|push|release|merge)\b|\bé proibido\b",
    ).search,
    general=any_of(
        r"^(?:por favor,? )?não (?!(?:sei|é|há|me|se|está|funciona|consigo|entendo|tenho|vejo|"
        r"quero|importa|foi|era|deu|vi)\b)\w+(?:e|a)\b(?! (?:isso|isto)\b)",
        r"^(?:a gente|nós)? ?(?:não )?(?:usa(?:mos)?|escreve(?:mos)?|utilizamos|preferimos|"
        r"fazemos)\b.*\b(?:não|só|apenas|em vez|ao invés|nada)\b",
        r"^(?:use|utilize|escreva|coloque|mantenha) .{2,60}\b(?:em vez|ao invés|e não|não|"
        r"em inglês|curt\w+)\b|^evite\b|^(?:nada de|sem) \w+",
        r"^(?:cada|tod[oa]s? ?(?:os|as|o|a)?) ?[\wáéíóúãõâêç ]{3,40}\b(?:deve|devem|precisa|"
        r"precisam|tem|têm|vai|vão)\b|\b(?:deve|devem) (?:ser|estar|ter|ir|dizer|começar|seguir|"
        r"ficar)\b",
        r"^(?:quando|se|antes de|depois de|ao) .{3,80}, (?:\w+)|^(?:os|as|nossos|"
        r"nossas) [\wáéíóúãõâêç ]{3,40}\b(?:seguem|começam|são|ficam|vão)\b",
    ).search,
    neither=any_of(
        r"\?",
        r"^(?:por que|porque será|como|quando é|que|quem|onde|qual)\b",
        r"\b(?:ontem|hoje|amanhã|por enquanto|por ora|esta (?:vez|semana)|essa semana|de novo|"
        r"ainda|até|primeiro)\b",
        r"^(?:eu )?(?:sempre|nunca) (?:vi|entendi|soube|tive|me|foi|era|dava|falhou|acontecia|"
        r"esqueço|a mesma|o mesmo|é bom)\b|\b(?:diz|dizia|segundo)\b|\b(?:falhava|funcionava|"
        r"falhou|foi|era|deu) (?:\w+ )?(?:sempre|nunca)\b|\b(?:obrigad\w+|valeu|legal|kkk\w*)\b",
    ).search,
)
ITALIAN = Language(
    explicit=any_of(
        r"\b(?:d[’']ora in (?:poi|avanti)|da ora in (?:poi|avanti)|da adesso in poi|in futuro|"
        r"ricorda(?:ti)?(?: che| di)?|tieni presente|non dimenticare)\b",
        r"\b(?:sempre|mai|ovunque|senza eccezioni)\b",
        r"^(?:qui|da noi|in (?:questo|questa|nostro) (?:repository|repo|progetto|codice))\b",
        r"\bpreferisco\b|\b(?:voglio|vorrei|odio|non voglio|non mi piace)\b.*\b(?:ogni|tutti|"
        r"tutte|che|senza)\b|^(?:per favore,? )?(?:smettila di|smetti di|basta)\b|"
        r"\bprima di ogni (?:commit|push|release|merge)\b|\bè vietato\b",
    ).search,
    general=any_of(
        r"^(?:per favore,? )?non \w+(?:re|rmi|arlo|erlo|irlo)\b(?! (?:questo|quello)\b)|"
        r"^(?:noi )?(?:non )?(?:usiamo|scriviamo|utilizziamo|preferiamo|mettiamo|facciamo)\b",
        r"^(?:per favore,? )?(?:scrivi|usa|tieni) (?:i|gli|le|tutti) .{3,40}\b(?:in|con)\b|"
        r"^(?:usa|utilizza|scrivi|metti|tieni) .{2,60}\b(?:invece|al posto|e non|anziché|"
        r"in inglese|non)\b|^(?:evita|niente|nessun\w*) \w+",
        r"^(?:ogni|tutti i|tutte le|tutti gli) [\wàèéìòù ]{3,40}\b(?:deve|devono|va|vanno|ha|"
        r"hanno)\b|\b(?:va|vanno|deve|devono) (?:scritt\w+|ess\w+|mess\w+|tenut\w+|salvat\w+|"
        r"avere|stare|iniziare|fatt\w+)\b",
        r"^(?:quando|se|prima di|dopo) .{3,80}, (?:\w+)|^nell[’'](?:interfaccia|ui)\b|^(?:i|le|"
        r"gli) [\wàèéìòù ]{3,40}\b(?:iniziano|si scrivono|si salvano|sono|stanno)\b.*\b(?:in|con|"
        r"per|senza)\b",
    ).search,
    neither=any_of(
        r"\?",
        r"^(?:perché|come (?:mai|si|faccio|posso)|quando (?:è|si)|cosa|che cosa|chi|dove|quale)\b",
        r"\b(?:ieri|oggi|domani|per ora|per adesso|questa (?:volta|settimana)|di nuovo|ancora|"
        r"finché|fino a|prima di tutto)\b",
        r"^(?:io )?non (?:l[’']|ho|avevo|capisco|so|mi ricordo)\b|\b(?:ho|hai|ha|avevo|era|"
        r"è) (?:sempre|mai)\b|\b(?:dice|diceva|secondo|c[’']è scritto)\b|\b(?:falliva|funzionava|"
        r"fallisce|dava) (?:\w+ )?(?:sempre|mai)\b|^sempre (?:lo stesso|la stessa|bello)|"
        r"\b(?:grazie|ottimo|fantastico|haha)\b",
    ).search,
)

"""Patterns of wishes for all future work (standing wishes), in ten languages."""

import re

from git_lerim.extraction.wishes import for_others, other_forms, other_orders, temporary
from git_lerim.extraction.wishes.order_forms import Orders
from git_lerim.extraction.wishes.patterns import Language, any_of

# what speaks of plans: `Wir wollen in Zukunft …`
_PLANS = (
    r"(?:wir|ich|on|nous|je|vamos|deber\w+|quier\w+|quisiera|me|dobbiamo|dovremmo|voglio|vorrei|"
    r"dev\w+|quer\w+|gostaria|we|ik)"
)


def _from_now(orders: Orders, words: str) -> re.Pattern[str]:
    """Return a pattern of an order with words such as "from now on": `Maak voortaan …`."""
    lead = rf"^(?:(?:{orders.lead})[,.:!]* )*"
    return any_of(
        rf"{lead}(?!{_PLANS}\b)(?:{orders.begins})\b.*\b(?:{words})\b",
        rf"{lead}(?:{words}),? (?:bitte|erst|graag|eerst|stp|d'abord|por favor|primero|primeiro|"
        r"per favore|prima)\b",
    )


GERMAN = Language(
    explicit=any_of(
        r"\b(?:ab (?:jetzt|sofort)|von (?:jetzt|nun) an|künftig|zukünftig|in zukunft|fortan|"
        r"merk(?:e)? dir|denk(?:e)? (?:bitte )?daran|bitte beachte|vergiss nicht)\b",
        r"\b(?:immer|nie|niemals|stets|grundsätzlich|generell|ausnahmslos|keinesfalls|"
        r"auf keinen fall|überall)\b",
        r"^(?:bei uns|in (?:diesem|unserem) (?:repo|repository|projekt|team)|"
        r"in dieser codebasis)\b",
        r"\bich (?:bevorzuge|hasse)\b|\b(?:ist|sind|wäre[n]?) mir (?:\w+ ){0,4}?lieber\b|"
        r"\bmir (?:ist|sind) .{3,} lieber\b|\bich (?:möchte|will|hätte gern|"
        r"mag)\b.*\b(?:jede[nrms]?|alle|keine[nrms]?|lieber|nur)\b",
        r"^(?:bitte )?(?:hör(?:e|t)? (?:bitte )?auf|lass (?:das|bitte))\b",
        r"^(?:bei|für) alle[mns]?,? was (?:du|ihr) (?!.*\b(?:hast|habt)\b)",
        r"\bkeine[nrms]? (?:ausnahmen?)\b|\bvor jede[mnr] (?:commit|push|release|merge)\b",
    ),
    sure=_from_now(other_orders.GERMAN, r"ab (?:jetzt|sofort)|künftig|in zukunft|fortan"),
    rules=other_forms.GERMAN,
    orders=other_orders.GERMAN,
    at_hand=other_forms.GERMAN_AT_HAND,
    neither=any_of(
        for_others.GERMAN,
        temporary.GERMAN,
        r"\?",
        r"^(?:warum|wieso|weshalb|wann|was|wer|wo|wie|welche[rsn]?|kann(?:st)?|könn\w+|"
        r"soll(?:en)? (?:wir|ich)|ist|sind|hat|gibt)\b",
        r"\b(?:gestern|heute|morgen|vorerst|erstmal|erst mal|fürs erste|im moment|gerade|"
        r"noch nicht|noch (?:ein)?mal|diesmal|bis (?:morgen|freitag|montag)|diese woche|"
        r"schon wieder)\b",
        r"\b(?:steht|sagt|sagte|meint|behauptet|laut)\b"
        r"(?!.*, (?:also|daher|deshalb|darum) )|^ich (?:habe|hab|hatte|war|bin|vergesse|"
        r"verstehe|verstand|wusste|dachte)\b|\b(?:war|waren|hatte|hatten|ging|lief|kam|hat|habe|"
        r"haben) .*(?:immer|nie)\b|\b(?:immer|nie) (?:noch|wieder|\w+t)$",
        r", (?:fix|korrigier|reparier|behebe?|änder)\w* (?:de[nr]|das|die|es|dies\w*)\b",
        r"\b(?:danke|super|toll|prima|haha)\b|\bschlägt\b|\bfehlgeschlagen\b",
    ),
)
DUTCH = Language(
    explicit=any_of(
        r"\b(?:voortaan|vanaf nu|in het vervolg|in de toekomst|onthoud(?: dat)?|vergeet niet|"
        r"denk eraan)\b",
        r"\b(?:altijd|nooit|overal|zonder uitzondering|in het algemeen)\b",
        r"^(?:voor|bij) alles wat je (?!.*\b(?:hebt|had)\b)",
        r"^(?:bij ons|in (?:deze|dit|onze?) (?:repo|repository|project|codebase|team))\b",
        r"\bik (?:wil|heb|gebruik|vind|haat|zie)\b.*\b(?:liever|geen|elke|alle)\b|"
        r"^(?:graag )?(?:hou(?:d)? op met|stop met)\b|\bvoor elke (?:commit|push|release|merge)\b",
    ),
    sure=_from_now(other_orders.DUTCH, r"voortaan|vanaf nu|in het vervolg"),
    rules=other_forms.DUTCH,
    orders=other_orders.DUTCH,
    neither=any_of(
        for_others.DUTCH,
        temporary.DUTCH,
        r"\?",
        r"^(?:waarom|hoe|wanneer (?:moet|is|zijn|kan)|wat|wie|welke|kan|kun|zou|is|zijn|heeft)\b",
        r", (?:fix|corrigeer|herstel|repareer|pas) (?:de|het|dat|dit)\b",
        r"\b(?:gisteren|vandaag|morgen|voorlopig|even|nu even|deze week|weer|tot (?:morgen|"
        r"vrijdag)|nog niet)\b",
        r"^ik (?:snap|begrijp|vergeet|had|was|wist|dacht)\b|\b(?:staat|volgens)\b|"
        r"^(?!.*\bje (?:\w+ )?zegt\b).*\bzegt\b|\b(?:was|had|ging|werkte|faalde|"
        r"mislukt\w*) .*(?:altijd|nooit)\b|\b(?:altijd|nooit) (?:leuk|mooi|fijn)\b|\b(?:bedankt|"
        r"dank|top|haha)\b",
    ),
)
FRENCH = Language(
    explicit=any_of(
        r"\b(?:désormais|dorénavant|à partir de (?:maintenant|là)|à l[’']avenir|dès maintenant|"
        r"rappelle(?:-toi|z-vous)|souviens-toi|n[’']oublie(?:z)? (?:pas|jamais)|retiens|retenez|"
        r"pense(?:z)? à)\b",
        r"\b(?:toujours|jamais|systématiquement|partout|sans exception|en général)\b",
        r"^pour tout ce que (?:tu|vous) (?!as\b|avez\b|a\b)",
        r"^(?:ici|chez nous|dans (?:ce|notre|le) (?:projet|dépôt|code|repo))\b|"
        r"\bdans ce (?:projet|dépôt|repo)\b",
        r"\bje (?:préfère|déteste)\b|\bje (?:veux|voudrais|souhaite|n[’']aime pas)\b.*\b(?:chaque|"
        r"tous|toutes|pas de|que)\b|^(?:on|nous) préfér\w+\b|^(?:stp |s[’']il (?:te|"
        r"vous) plaît,? )?arrête(?:z)? (?:de|d[’'])",
        r"\bavant chaque (?:commit|push|release|merge|fusion)\b|\bil faut toujours\b",
    ),
    sure=_from_now(other_orders.FRENCH, r"désormais|dorénavant|à l'avenir|à partir de maintenant"),
    rules=other_forms.FRENCH,
    orders=other_orders.FRENCH,
    at_hand=other_forms.FRENCH_AT_HAND,
    neither=any_of(
        for_others.FRENCH,
        temporary.FRENCH,
        r"\?",
        r"^(?:pourquoi|comment|quand est|quel\w*|est-ce|qu[’']est|qui|où|faut-il)\b",
        r", (?:corrige|répare|fixe|modifie|change) (?:l['’]|(?:le|la|les|ça|ce\w*)\b)",
        r"\b(?:hier|aujourd[’']hui|demain|pour l[’']instant|pour le moment|cette (?:fois|semaine)|"
        r"encore|jusqu[’']à)\b|"
        r"^(?!.*\b(?:à l'avenir|désormais|dorénavant|toujours)\b).*\bd[’']abord\b"
        r"|^(?:tu peux|vous pouvez) toujours\b",
        r"^(?:je n[’']ai jamais|j[’']ai toujours|j[’']oublie|je ne comprends)\b|\b(?:dit|disait|"
        r"selon|indique)\b|\b(?:toujours|jamais) (?:été|eu|vu|compris|échoué|marché|la même|"
        r"le même|un plaisir)\b|\b(?:a|ont|était|avait|échoue|échouait|"
        r"plante) (?:\w+ )?(?:toujours|jamais)\b|\btoujours (?:cette|ce) \w+|\b(?:merci beaucoup|"
        r"merci pour|super|haha)\b",
    ),
)
SPANISH = Language(
    explicit=any_of(
        r"\b(?:a partir de ahora|de ahora en adelante|desde ahora|en adelante|en el futuro|"
        r"de aquí en adelante|recuerda(?: que)?|ten en cuenta|no olvides)\b",
        r"\b(?:siempre|nunca|jamás|en todas partes|sin excepción|en general|por norma)\b",
        r"^para todo lo que \w+[aeo]s\b",
        r"^(?:aquí|en (?:este|nuestro) (?:repositorio|repo|proyecto|código|equipo))\b",
        r"\bprefiero\b|\b(?:quiero|me gustaría|odio|no quiero|no me gusta)\b.*\b(?:cada|todos?|"
        r"todas?|que|sin|en todo)\b|^(?:por favor,? )?deja de\b|\bantes de cada (?:commit|push|"
        r"release|merge)\b|\b(?:está|queda) prohibido\b",
    ),
    sure=_from_now(other_orders.SPANISH, r"a partir de ahora|(?:de ahora )?en adelante"),
    rules=other_forms.SPANISH,
    orders=other_orders.SPANISH,
    at_hand=other_forms.SPANISH_AT_HAND,
    neither=any_of(
        for_others.SPANISH,
        temporary.SPANISH,
        r"\?|^¿",
        r"^puedes\b.*\bsiempre\b|^siempre puedes\b",
        r"^(?:por qué|cómo|cuándo|qué|quién|dónde|cuál)\b",
        r", (?:corrige|arregla|repara|cambia) (?:el|la|los|las|lo|eso|est\w)\b|, arrégla\w+",
        r"\b(?:ayer|hoy|mañana|por ahora|de momento|por el momento|esta (?:vez|semana)|otra vez|"
        r"todavía|aún)\b",
        r"^(?:yo )?(?:siempre|nunca) (?:he|había|vi|entendí|supe|tuve|me|fue|era|daba|falló|"
        r"pasaba|olvido|es (?:lo|la) mismo)\b|\b(?:dice|decía|según)\b|\b(?:fallaba|funcionaba|"
        r"falló|falla|fue|era|ha|había) (?:\w+ )?(?:siempre|nunca)\b|\bsiempre (?:el|la) mism\w+|"
        r"\b(?:gracias|genial|jaja)\b",
    ),
)
PORTUGUESE = Language(
    explicit=any_of(
        r"\b(?:a partir de agora|de agora em diante|daqui (?:em|para a?) (?:diante|frente)|"
        r"daqui pra frente|no futuro|lembre(?:-se)?(?: de)? que|não (?:se )?esqueça)\b",
        r"\b(?:sempre|nunca|jamais|sem exceção|em todo lugar|em geral)\b",
        r"^para tudo o que (?:você )?(?!fez\b)\w+(?<!ou)\b",
        r"^(?:aqui|n(?:este|esse|o nosso) (?:repositório|repo|projeto|código|time))\b",
        r"\b(?:eu )?prefiro\b|\b(?:quero|gostaria|odeio|não quero|não gosto)\b.*\b(?:cada|todos?|"
        r"todas?|que|sem|em todo)\b|^(?:por favor,? )?(?:para|pare) de\b|"
        r"\bantes de cada (?:commit|push|release|merge)\b|\bé proibido\b",
    ),
    sure=_from_now(other_orders.PORTUGUESE, r"a partir de agora|de agora em diante"),
    rules=other_forms.PORTUGUESE,
    orders=other_orders.PORTUGUESE,
    neither=any_of(
        for_others.PORTUGUESE,
        temporary.PORTUGUESE,
        r"\?",
        r"^(?:você )?pode sempre\b|^sempre pode\b",
        r"^(?:por que|porque será|como|quando é|que|quem|onde|qual)\b",
        r", (?:corrij[ae]|corrige|conserta|conserte|arrum[ae]|mude|muda) (?:o|a|os|as|iss?o)\b",
        r"\b(?:ontem|hoje|amanhã|por enquanto|por ora|esta (?:vez|semana)|essa semana|de novo|"
        r"ainda)\b",
        r"^(?:eu )?(?:sempre|nunca) (?:vi|entendi|soube|tive|me|foi|era|dava|falhou|acontecia|"
        r"esqueço|a mesma|o mesmo|é bom)\b|\b(?:diz|dizia|segundo)\b|\b(?:falhava|funcionava|"
        r"falhou|foi|era|deu) (?:\w+ )?(?:sempre|nunca)\b|\b(?:obrigad\w+|valeu|legal|kkk\w*)\b",
    ),
)
ITALIAN = Language(
    explicit=any_of(
        r"\b(?:d[’']ora in (?:poi|avanti)|da ora in (?:poi|avanti)|da adesso in poi|in futuro|"
        r"ricorda(?:ti)?(?: che| di)?|tieni presente|non dimenticare)\b",
        r"\b(?:sempre|mai|ovunque|senza eccezioni|in generale)\b",
        r"^per tutto (?:quello|ciò) che (?!hai\b|avete\b)",
        r"^(?:qui|da noi|in (?:questo|questa|nostro) (?:repository|repo|progetto|codice))\b",
        r"\bpreferisco\b|\b(?:voglio|vorrei|odio|non voglio|non mi piace)\b.*\b(?:ogni|tutti|"
        r"tutte|che|senza)\b|^(?:per favore,? )?(?:smettila di|smetti di|basta)\b|"
        r"\bprima di ogni (?:commit|push|release|merge)\b|\bè vietato\b",
    ),
    sure=_from_now(other_orders.ITALIAN, r"d'ora in (?:poi|avanti)"),
    rules=other_forms.ITALIAN,
    orders=other_orders.ITALIAN,
    neither=any_of(
        for_others.ITALIAN,
        r"\?",
        r"^puoi sempre\b",
        r"^(?:perché|come (?:mai|si|faccio|posso)|quando (?:è|si)|cosa|che cosa|chi|dove|quale)\b",
        r", (?:correggi|sistema|ripara|cambia) (?:il|lo|la|i|le|l'|quest\w)\b",
        r"\b(?:ieri|oggi|domani|per ora|per adesso|questa (?:volta|settimana)|di nuovo|ancora|"
        r"finché)\b",
        r"^(?:io )?non (?:l[’']|ho|avevo|capisco|so|mi ricordo)\b|\b(?:ho|hai|ha|avevo|era|"
        r"è) (?:sempre|mai)\b|\b(?:dice|diceva|secondo|c[’']è scritto)\b|\b(?:falliva|funzionava|"
        r"fallisce|dava) (?:\w+ )?(?:sempre|mai)\b|^sempre (?:lo stesso|la stessa|bello)|"
        r"\b(?:grazie|ottimo|fantastico|haha)\b",
    ),
)
POLISH = Language(
    explicit=any_of(
        r"\b(?:od teraz|odtąd|od tej pory|na przyszłość|w przyszłości|pamiętaj|zapamiętaj|"
        r"nie zapominaj)\b",
        r"\b(?:zawsze|nigdy|wszędzie|bez wyjątków)\b",
        r"^(?:tutaj|u nas|w (?:tym|naszym) (?:projekcie|repo|repozytorium|kodzie|zespole))\b",
        r"\b(?:wolę|preferuję|nie lubię|nie znoszę)\b|\b(?:chcę|chciałbym|"
        r"chciałabym)\b.*\b(?:każd\w+|wszystk\w+|żeby|bez)\b|^(?:proszę,? )?(?:przestań|"
        r"skończ z)\b|\bprzed każd\w+ (?:commit\w*|push\w*|wydani\w*)|\bjest zabronione\b|"
        r"\bnie wolno\b",
    ),
    rules=other_forms.POLISH,
    neither=any_of(
        for_others.POLISH,
        r"\?",
        r"^(?:dlaczego|czemu|jak|kiedy (?:to|należy)|co|czy|kto|gdzie|który)\b",
        r", (?:popraw|napraw|zmień) (?!t[eo] zasad)",
        r"\b(?:wczoraj|dziś|dzisiaj|jutro|na razie|tym razem|w tym tygodniu|znowu|jeszcze nie|"
        r"dopóki)\b|^najpierw\b",
        r"(?<!żebyś )(?<!żeby )\b(?:nigdy nie|zawsze) \w+(?:łem|łam|ł|ła|li|ło)\b|^(?:zawsze|"
        r"nigdy) (?:ten sam|ta sama|to samo|miło)\b|\b(?:mówi|według|twierdzi|piszą|napisano)\b|"
        r"\b(?:dzięki|dziękuję|super|świetnie|haha)\b",
    ),
)
RUSSIAN = Language(
    explicit=any_of(
        r"\b(?:впредь|отныне|с (?:этого момента|сегодняшнего дня)|в (?:будущем|дальнейшем)|"
        r"на будущее|запомни(?:те)?|помни(?:те)?|не забывай(?:те)?|имей в виду)\b",
        r"\b(?:всегда|никогда|везде|без исключений)\b",
        r"^(?:здесь|тут|у нас|в (?:этом|нашем) (?:проекте|репозитории|коде|репо|команде))\b",
        r"\b(?:я )?предпочитаю\b|\bне люблю\b|\b(?:хочу|хотел\w* бы)\b.*\b(?:кажд\w+|все|чтобы|"
        r"без)\b|^(?:пожалуйста,? )?(?:хватит|перестань|прекрати)\b|\bперед кажд\w+ (?:коммит\w*|"
        r"пуш\w*|релиз\w*)|\b(?:запрещено|нельзя)\b",
    ),
    rules=other_forms.RUSSIAN,
    neither=any_of(
        for_others.RUSSIAN,
        r"\?",
        r"^(?:почему|зачем|как|когда (?:это|надо|нужно)|что|кто|где|какой)\b",
        r"\b(?:вчера|сегодня|завтра|пока что|пока|в этот раз|на этой неделе|опять|снова|ещё не)\b",
        r"\b(?:никогда не|всегда) (?:\w+(?:л|ла|ли|ло)|забываю|путаю)\b|^(?:всегда|"
        r"никогда) (?:одно|тот же|приятно)\b|\b(?:говорит|сказано|согласно|пишут)\b|\b(?:спасибо|"
        r"отлично|круто|супер)\b",
    ),
)
CHINESE = Language(
    explicit=any_of(
        r"(?:以后|今后|从现在(?:开始|起)?|从今(?:以后|往后)?|从此|往后)",
        r"(?:总是|始终|永远|务必|一律|一定要|必须|每次都?|都要|都必须|都得|千万|禁止|不得|严禁|绝不|绝对不|不允许|统一)",
        r"^(?:请)?(?:记住|牢记|注意)|记得|我(?:更)?(?:喜欢|偏好|倾向|希望|讨厌|不喜欢)",
        r"(?:本|这个|我们的?)(?:仓库|项目|代码库|团队)",
    ),
    neither=any_of(
        for_others.CHINESE,
        temporary.CHINESE,
        r"[?？]|(?:为什么|怎么|什么|是否|如何|哪|呢|吗)",
        r"昨天|今天|明天|刚才|刚刚|暂时|先别|先不|这次|目前|现在先|本周|这周",
        r"以前(?!.{0,3}(?:亏|坑))|(?:总是|每次都?)(?:失败|报错|出错|超时|卡住|崩溃|忘)",
        r"(?:说|写着|提到)[：:“\"]|谢谢|太好了|不错|哈哈",
    ),
)
JAPANESE = Language(
    explicit=any_of(
        r"(?:今後|これから(?:は|も)|以後|以降は|次回から|この先)",
        r"(?:常に|必ず|いつも|絶対に|決して|毎回|原則|全て|すべて|一切)",
        r"(?:方が好き|ほうが好き|好みます|好みです|覚えて(?:おいて)?|忘れないで|ルール|禁止|統一|規約)",
        r"(?:このリポジトリ|このプロジェクト|うちで|当プロジェクト|ここで)",
    ),
    neither=any_of(
        for_others.JAPANESE,
        temporary.JAPANESE,
        r"[?？]|(?:なぜ|どうして|どう|ですか|ますか|でしょうか|のか)",
        r"昨日|今日|明日|さっき|とりあえず|一旦|いったん|まだ|今は|今回|この(?:ファイル|関数|行|コミット|テスト|PR)|今週|先に(?:確認|見|これ)",
        r"(?:いつも|毎回|必ず)(?:失敗|エラー|落ち|助か|ありがとう|忘れ)|(?:と書いてあ|と言って|によると)|ありがとう|すごい|でした。"
        r"?$|ました。?$",
    ),
)

"""Patterns of standing wishes in Polish and Russian."""

from git_lerim.extraction.wishes.patterns import Language, any_of

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
    ).search,
    general=any_of(
        r"^(?:proszę,? )?nie \w+(?:j|aj|uj|ij|yj|ń|b|sz|ć|w|dz)\b(?! (?:tego|się)\b)|"
        r"^(?:\w+ )?(?:\w+ )?(?:nie )?(?:używamy|piszemy|stosujemy|robimy)\b|\b(?:używamy|piszemy|"
        r"stosujemy)\b",
        r"^(?:używaj|pisz|stosuj) .{2,60}\b(?:zamiast|a nie|tylko|tutaj|po angielsku)\b|"
        r"^(?:żadnych|bez|unikaj) \w+",
        r"^(?:każd\w+|wszystkie) [\wąćęłńóśźż ]{3,40}\b(?:musi|muszą|powin\w+|ma|mają|potrzebuje|"
        r"wymaga)\b|\b(?:musi|muszą|powin\w+) (?:być|mieć|zaczynać|zawierać)\b",
        r"^(?:gdy|kiedy|jeśli|jeżeli|zanim|po) .{3,80}, (?:\w+)|"
        r"^(?:wolał(?:a)?bym|chciał(?:a)?bym),? żeby\w*|"
        r"^[\wąćęłńóśźż]+ [\wąćęłńóśźż ]{3,40}\b(?:zaczynają się|kończą się|są|idą)\b.*\b(?:od|w|"
        r"na|po)\b",
    ).search,
    neither=any_of(
        r"\?",
        r"^(?:dlaczego|czemu|jak|kiedy (?:to|należy)|co|czy|kto|gdzie|który)\b",
        r"\b(?:wczoraj|dziś|dzisiaj|jutro|na razie|tym razem|w tym tygodniu|znowu|jeszcze nie|"
        r"dopóki)\b|^najpierw\b",
        r"(?<!żebyś )(?<!żeby )\b(?:nigdy nie|zawsze) \w+(?:łem|łam|ł|ła|li|ło)\b|^(?:zawsze|"
        r"nigdy) (?:ten sam|ta sama|to samo|miło)\b|\b(?:mówi|według|twierdzi|piszą|napisano)\b|"
        r"\b(?:dzięki|dziękuję|super|świetnie|haha)\b",
    ).search,
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
    ).search,
    general=any_of(
        r"^(?:пожалуйста,? )?не \w+(?:й|йте|и|ите|ь|ьте)\b(?! (?:это|об этом)\b)|"
        r"^мы не \w+(?:ем|им)\b|\bне (?:длиннее|больше|более|короче) \d|"
        r"^перед \w+(?:ем|ом|ой|кой)\b.*\b\w+(?:й|йте)\b|\b(?:используем|"
        r"пишем|применяем|обращаемся)\b",
        r"^(?:используй|пиши|применяй)(?:те)? .{2,60}\b(?:вместо|а не|только|здесь|"
        r"на английском)\b|^(?:никаких|без|избегай\w*) \w+",
        r"^(?:на )?(?:кажд\w+|все) [\w ]{3,60}\b(?:долж\w+|нужно|нужен|нужна|нужны|надо|"
        r"обязан\w*)\b|\bдолж\w+ (?:быть|начинаться|содержать|иметь|описывать|соответствовать|"
        r"проходить|лежать|использовать)\b",
        r"^(?:когда|если|прежде чем|после) .{3,80}, (?:\w+)|^(?:имена|названия|"
        r"сообщения) [\w ]{3,40}\b(?:начинаются|пишутся)\b",
    ).search,
    neither=any_of(
        r"\?",
        r"^(?:почему|зачем|как|когда (?:это|надо|нужно)|что|кто|где|какой)\b",
        r"\b(?:вчера|сегодня|завтра|пока что|пока|в этот раз|на этой неделе|опять|снова|ещё не|"
        r"сначала)\b",
        r"\b(?:никогда не|всегда) (?:\w+(?:л|ла|ли|ло)|забываю|путаю)\b|^(?:всегда|"
        r"никогда) (?:одно|тот же|приятно)\b|\b(?:говорит|сказано|согласно|пишут)\b|\b(?:спасибо|"
        r"отлично|круто|супер)\b",
    ).search,
)

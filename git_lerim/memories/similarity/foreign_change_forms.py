"""Forms of sentences that give up what a person wanted, in languages other than English."""

from git_lerim.memories.similarity.change_forms import Way, compiled
from git_lerim.memories.similarity.languages import ADJECTIVE
from git_lerim.memories.similarity.replacement_phrases import HENCEFORTH

_RATHER = (
    r"(?:(?:dann )?doch (?:lieber|besser|wieder)|(?:finalement,? )?on passe (?:aux?|à la)|"
    r"finalement|(?:al final )?mejor|al final|"
    r"(?:alla fine )?meglio|afinal|melhor|toch liever|jednak(?: lepiej)?|вс[её]-таки|лучше)"
)
_CHANGED = rf"(?:{HENCEFORTH}|(?:{HENCEFORTH},? )?{_RATHER})"
_IN = r"(?P<slot>auf|in|en|em|po|на)(?: het)?"
_FORMS = (
    (
        Way.EXCUSED,
        (
            r"(?:du|wir|ihr) (?:musst|müssen|müsst|brauchst|brauchen) (?:WHAT )?nicht mehr"
            r"(?: zu)?LASTEND"
        ),
    ),
    (Way.EXCUSED, r"(?:(?:tu n['’]as|on n['’]a|il n['’]y a) )?plus besoin d(?:e |['’])WHATEND"),
    (Way.EXCUSED, r"ya no (?:hace falta|tienes que|es necesario|necesitas|hay que) WHATEND"),
    (Way.EXCUSED, r"não (?:precisas?|é preciso) mais (?:de )?WHATEND"),
    (Way.EXCUSED, r"non (?:serve|devi|è necessario|c['’]è) più (?:bisogno di )?WHATEND"),
    (Way.EXCUSED, r"je hoeft (?:WHAT )?niet meer(?: te)?LASTEND"),
    (Way.EXCUSED, r"nie (?:musisz|trzeba) już WHATEND"),
    (Way.EXCUSED, r"больше не (?:нужно|надо|обязательно) WHATEND"),
    (Way.ALLOWED, r"(?:du|ihr|wir) (?:kannst|darfst|könnt|dürft|können|dürfen) wieder WHATEND"),
    (
        Way.ALLOWED,
        r"(?:du|ihr|wir) (?:kannst|darfst|könnt|dürft|können|dürfen) WHAT wieder(?:LAST)?END",
    ),
    (Way.ALLOWED, r"WHAT (?:ist|sind) wieder (?:ok(?:ay)?|erlaubt|in ordnung)END"),
    (Way.ALLOWED, r"tu peux (?:à|de) nouveau WHATEND"),
    (Way.ALLOWED, r"WHAT (?:est|sont) (?:à|de) nouveau (?:ok|permise?s?|autorisée?s?)END"),
    (Way.ALLOWED, r"(?:ya )?puedes WHAT (?:otra vez|de nuevo)END"),
    (Way.ALLOWED, r"puoi di nuovo WHATEND"),
    (Way.ALLOWED, r"pode WHAT de novoEND"),
    (Way.ALLOWED, r"je mag WHAT weer(?:LAST)?END"),
    (Way.ALLOWED, r"WHAT ne pose(?:nt)? plus (?:de )?problèmes?END"),
    (Way.DROPPED, r"on est passés? d(?:e |['’])WHAT (?:à|vers) NEW"),
    (Way.DROPPED, r"wir sind von WHAT (?:auf|zu) .+ (?:umgestiegen|gewechselt|umgezogen)END"),
    (Way.DROPPED, r"(?:nos )?(?:hemos (?:pasado|migrado|cambiado)|pasamos|migramos) de WHAT a NEW"),
    (Way.DROPPED, r"(?:passamos|migramos|mudamos) d[eoa] WHAT para NEW"),
    (Way.DROPPED, r"siamo passati da WHAT a NEW"),
    (Way.DROPPED, r"we zijn van WHAT naar .+ overgestaptEND"),
    (Way.DROPPED, r"we zijn overgestapt van WHAT naar NEW"),
    (Way.DROPPED, r"przeszliśmy z WHAT na NEW"),
    (Way.DROPPED, r"(?:мы )?перешли с WHAT на NEW"),
    (Way.DROPPED, r"WHAT (?:c['’]est fini|(?:ist|sind) nicht mehr nötig)END"),
    (Way.DROPPED, r"WHAT (?:machen|nutzen|verwenden|benutzen|brauchen) wir nicht mehrEND"),
    (Way.DROPPED, r"(?:wir )?(?:nutz|verwend|benutz|brauch)en? WHAT nicht mehrEND"),
    (Way.DROPPED, r"(?:wir )?(?:(?:nutz|verwend|benutz|brauch)en?|nimm) keine?n? WHAT mehrEND"),
    (Way.DROPPED, r"(?:on|nous) (?:vire|abandonne|laisse tomber|arrête) WHATEND"),
    (Way.DROPPED, r"(?:on |nous )?n['’]utilis(?:e|es|ez|ons) plus WHATEND"),
    (Way.DROPPED, r"ya no us(?:es|a|amos|emos) WHATEND"),
    (Way.DROPPED, r"não us(?:e|es|a|amos|emos) mais WHATEND"),
    (Way.DROPPED, r"non us(?:are|iamo|a) più WHATEND"),
    (Way.DROPPED, r"(?:we )?gebruik(?:en)? (?:geen WHAT meer|(?P<last>\S+) niet meer)END"),
    (Way.DROPPED, r"nie używa(?:j|my) już WHATEND"),
    (Way.DROPPED, r"больше не использу(?:й|йте|ем) WHATEND"),
    (Way.RATHER, rf"{_CHANGED},? WHAT {_IN} \S+(?:\.?\Z|[,;:] )"),
    (Way.RATHER, rf"WHAT {_IN} \S+,? {HENCEFORTH}END"),
    (Way.RATHER, rf"{_CHANGED} {ADJECTIVE} WHATEND"),
    (Way.RATHER, r"WHAT (?:bitte )?doch (?:lieber|wieder|besser) (?P<slot>auf|in|mit|als|per) NEW"),
    (Way.RATHER, r"WHAT (?:finalement|plutôt) (?P<slot>en|avec|dans) NEW"),
    (Way.RATHER, r"WHAT mejor (?P<slot>en|con) NEW"),
    (Way.RATHER, r"WHAT (?:afinal|melhor) (?P<slot>em|com) NEW"),
    (Way.RATHER, r"WHAT (?:meglio|alla fine) (?P<slot>in|con) NEW"),
    (Way.RATHER, r"WHAT toch liever (?P<slot>in|met|op) NEW"),
    (Way.RATHER, r"WHAT jednak (?P<slot>po|w|z) NEW"),
    (Way.RATHER, r"WHAT (?:вс[её]-таки|лучше) (?P<slot>на|в|с) NEW"),
)

INFLECTED = tuple((way, compiled(form)) for way, form in _FORMS)

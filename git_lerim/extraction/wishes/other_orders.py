"""Forms of orders with a reason in six languages: `Nimm Redis statt Memcached, weil …`."""

from git_lerim.extraction.wishes.order_forms import Orders
from git_lerim.extraction.wishes.patterns import any_of

GERMAN = Orders(
    lead=(
        r"nein|nee|ne|ja|ok(?:ay)?|also|gut|aber|und|dann|doch|hier|lieber|besser|bitte|"
        r"entscheidung"
    ),
    begins=(
        r"(?:nimm|gib|lies|wirf|lass|leg|mach|schreib|setz|pack|stell|bau|zeig|lad|schick|ruf|halt|"
        r"bleib|wechsel|verschieb|trenn|teil|hash|cach|rechn|pinn|begrenz|sperr|nutz|benutz|"
        r"verwend|speicher|ersetz|entfern|füg|führ|fass|prüf|sammel|hol|zieh|vermeid|bevorzug|"
        r"lösch|streich|schmeiß)(?:e|t|et|en wir)?|(?:nehmen|machen|bleiben|nutzen) wir|"
        r"(?!korrig|repar|analys)\w{3,}iere|lasst? uns|wir (?:nehmen|nutzen|benutzen|verwenden|"
        r"bleiben|sollten|wollen|machen|setzen|speichern)|ich (?:möchte|will|hätte gern\w*|"
        r"würde (?:gern\w*|lieber))|wir haben uns (?:für|gegen) [^,]+ entschieden|"
        r"(?!(?:die|der|das|wir|sie|man|es|ich|du|kannst|könnten|alle|unsere?|wo|wenn|dass)\b)"
        r"(?:[\w./-]+ ){1,5}(?:legen|ablegen|speichern|schreiben|nutzen|verwenden|halten|cachen|"
        r"hashen|begrenzen|setzen|auslagern|trennen|loggen|prüfen|schicken)(?=,? (?:weil|damit|"
        r"sonst)\b)"
    ),
    swaps=any_of(
        r"\b(?:statt|anstatt|anstelle|ersetz\w* .+ durch|lieber .+ als|nicht .+, sondern|"
        r"(?:und|aber) nicht)\b|, nicht\b|\bvon .+ (?:auf|nach|zu) .+(?:um|wechsel)"
    ),
    reason=any_of(
        r"\b(?:weil|sonst|ansonsten|andernfalls|wegen|nämlich)\b|, denn\b|"
        r"\bda (?:wir|man|es|sie|der|die|das|unser\w*|sonst|kein\w*|jede\w*|alle|\d[\w.]*)\b|"
        r"\bdamit (?!(?:arbeiten|geht|kann|ist|sind|hat)\b)\w+ \w+"
    ),
    tells=r"wir|man|es|sie|der|die|das|unser\w*|jede\w*|alle|viele",
    passing=any_of(
        r"(?:\b(?:weil|da|denn|damit)|,) (?:ich|jetzt)\b|\b(?:nachher|später|keine zeit)\b",
        r"\b(?:heute|morgen|gestern|gerade|vorerst|erst ?mal|fürs erste|kurz|im moment|momentan|"
        r"vorübergehend|diesmal|noch nicht|diese woche|nächste woche|bis (?:\w+tag|ende))\b",
        r"\bich\b.*\b(?:sehen|sehe|testen|teste|wissen|prüfen|zeigen|schauen|vergleichen|"
        r"ausprobieren|lesen|verstehen?)\b",
        r"\bmein\w* (?:laptop|rechner|handy|branch|account|platte|terminal|mac|pc)\b",
        r"\b(?:down|offline|kaputt|krank|im urlaub) (?:ist|sind)\b|"
        r"\b(?:ist|sind) (?:\w+ )?(?:down|krank|im urlaub)\b",
        r"\b(?:für|vor|bis) (?:die|der|das|den|zur|zum)? ?(?:\w+)?(?:demo|meeting|termin|call|"
        r"präsentation)\b|\bzeile \d|^\w+ (?:mir |bitte |mal |noch )*(?:ein\w*|de[nmr]|die|das) "
        r"(?:\w+ )?(?:tests?|mail|e-mail|nachricht|kommentare?|tippfehler|branch|commit|pr|todo|"
        r"variable|zeile|komma|import|absatz|satz)\b",
    ),
)
FRENCH = Orders(
    lead=r"non|oui|ok|bon|alors|mais|et|stp|plutôt|ici|là|merci de|il (?:faut|faudrait)|décision",
    begins=(
        r"(?:utilis|stock|gard|pass|remplac|charg|supprim|enlèv|déplac|bascul|rang|sépar|"
        r"calcul|hach|valid|limit|affich|laiss|évit|appell|migr|sauvegard|envoi|ajout|retir|coup|"
        r"chiffr|génèr|interdi|enregistr|mont|écri|li|met|prend|fai|choisi|construi|sor)(?:e|s|"
        r"ons|ez|tez|vez|er|re|sez|te|tre|dre|tir)|(?!hier|premier|dernier|super)[a-zéèê]{3,}er|"
        r"(?:on|nous) (?:utilise|prend|passe|garde|reste|va|devrait|met|fait|stocke)\w*|"
        r"(?:on|nous) (?:n['’]utilis|ne (?:pren|gard|fais|met))\w* plus|"
        r"je (?:veux|voudrais)"
    ),
    swaps=any_of(
        r"\b(?:au lieu d|à la place d|plutôt qu|et (?:non|pas)\b|remplac\w+ .+ par\b|"
        r"(?:pass|bascul|migr)\w+ .+ d[eu]? ?.+ (?:à|vers)\b)|, pas\b|^(?:on|nous) (?:garde|reste)"
    ),
    reason=any_of(
        r"\b(?:parce qu|puisqu|vu qu|étant donné|afin (?:d|qu)|pour (?:que|éviter|ne pas)|"
        r"à cause d)|\b(?:car|sinon)\b|\bsans quoi\b"
    ),
    tells=r"on|nous|il|elle|ils|elles|le|la|les|l['’]\w+|notre|nos|ça|chaque|un|une",
    passing=any_of(
        r"\b(?:parce que|car|puisque|,) (?:je\b|j['’])|\b(?:plus tard|de côté|pas le temps)\b",
        r"\b(?:aujourd['’]hui|demain|hier|ce soir|pour l['’]instant|pour le moment|en ce moment|"
        r"temporairement|provisoirement|tout de suite|cette (?:semaine|fois)|jusqu['’]à)\b",
        r"\bje (?:veux|voudrais|dois|vais) (?:\w+ )?(?:voir|tester|vérifier|comparer|montrer|"
        r"savoir|essayer|lire|comprendre)\b|\bque je (?:voie|puisse|teste)\b",
        r"\bm(?:on|a) (?:portable|ordi\w*|pc|compte|machine|branche|écran)\b",
        r"\best (?:en panne|down|hors ligne|malade|en vacances)\b",
        r"\b(?:pour|avant) (?:la|ma|le) (?:démo|réunion|présentation)\b|\bligne \d|"
        r"^\w+(?:-moi)? (?:un|une|le|la|les|ce|cette) (?:test|mail|message|commentaire|branche|"
        r"commit|pr|variable|ligne|virgule|import|phrase|faute|typo)s?\b",
    ),
)
SPANISH = Orders(
    lead=r"no,|sí|ok|vale|bueno|pero|y|por favor|mejor|aquí|entonces|hay que|decisión",
    begins=(
        r"(?:us|utiliz|guard|cambi|reemplaz|quit|elimin|dej|carg|mand|enví|muestr|calcul|valid|"
        r"limit|separ|cre|migr|pas|evit|fij|llam|almacen|cifr|hash)(?:a|e|en|emos|ar)|(?:pon|haz|"
        r"sustituy|escrib|mu[eé]v|le|construy|mant[eé]n|elig|prefi[eé]r|divid)(?:e|er|ir|gas?|a|"
        r"amos)?|vamos a|deberíamos|quiero|quisiera|me gustaría|ya no (?:us|utiliz)amos|"
        r"(?!ayer|ser|mujer)[a-zñ]{3,}[aei]r"
    ),
    swaps=any_of(
        r"\b(?:en vez de|en lugar de|y no|(?:cambi|reemplaz|sustitu)\w+ .+ por|"
        r"(?:pas|migr|mov|mu[eé]v)\w+ .+ de .+ a)\b|, no\b"
    ),
    reason=any_of(
        r"\b(?:porque|ya que|puesto que|dado que|pues|si no,|de lo contrario|para (?:que|no|"
        r"evitar)|debido a|por culpa de)\b"
    ),
    tells=r"el|la|los|las|un|una|nuestr\w+|cada|nos|no (?:queremos|podemos|tenemos)|se",
    passing=any_of(
        r"\b(?:porque|ya que|pues) (?:no )?(?:me|tengo|estoy|voy|quiero|necesito)\b|\bluego\b",
        r"\b(?:hoy|mañana|ayer|ahora mismo|por ahora|de momento|por el momento|temporalmente|"
        r"esta (?:vez|semana|tarde|noche)|hasta (?:el|la|mañana))\b",
        r"\b(?:quiero|quisiera|necesito|tengo que) (?:\w+ )?(?:ver|probar|comprobar|comparar|"
        r"mostrar|saber|leer|entender)\b",
        r"\bmi (?:portátil|máquina|rama|cuenta|pc|ordenador|móvil|pantalla)\b",
        r"\bestá (?:caíd[oa]|rot[oa]|enferm[oa]|de vacaciones|fuera)\b",
        r"\bpara la (?:demo|reunión|presentación)\b|\blínea \d|^\w+ (?:un|una|el|la|est\w) "
        r"(?:test|prueba|correo|mensaje|comentario|rama|commit|pr|variable|línea|coma|import|"
        r"frase|errata)\b",
    ),
)
ITALIAN = Orders(
    lead=r"no,|sì|ok|va bene|ma|e|per favore|meglio|qui|allora|piuttosto|bisogna",
    begins=(
        r"(?:us|utilizz|salv|cambi|spost|elimin|lasci|caric|mand|invi|mostr|calcol|valid|limit|"
        r"separ|cre|migr|pass|evit|chiam|cifr|blocc)(?:a|i|iamo|are)|(?:mett|sostituisc|fa|scriv|"
        r"togl|rimuov|legg|tien|scegl|preferisc|divid)(?:i|iamo|ere|ire|re)?|dobbiamo|dovremmo|"
        r"voglio|vorrei|non usiamo più|(?!mare|mere|sere)[a-z]{3,}[aei]re"
    ),
    swaps=any_of(
        r"\b(?:invece (?:di|che|de\w+)|anziché|al posto d\w*|piuttosto che|e non|sostitu\w+ .+ con|"
        r"(?:pass|migr|spost)\w+ .+ da\w* .+ a\w*)\b|, non\b"
    ),
    reason=any_of(
        r"\b(?:perch[éè]|poiché|dato che|visto che|siccome|altrimenti|sennò|affinché|in modo che|"
        r"per (?:evitare|non)|a causa d\w+)\b"
    ),
    tells=r"il|lo|la|i|gli|le|l['’]\w+|un|una|ogni|non (?:vogliamo|possiamo|abbiamo)|si",
    passing=any_of(
        r"\b(?:perch[éè]|dato che|visto che) (?:non )?(?:devo|ho|sono|vado|voglio)\b|\bdopo\b",
        r"\b(?:oggi|domani|ieri|adesso|per ora|per il momento|al momento|temporaneamente|"
        r"questa (?:volta|settimana|sera)|fino a)\b",
        r"\b(?:voglio|vorrei|devo) (?:\w+ )?(?:vedere|provare|controllare|confrontare|mostrare|"
        r"sapere|leggere|capire)\b",
        r"\bmi[oa] (?:portatile|macchina|branch|ramo|account|pc|computer|schermo)\b",
        r"\bè (?:giù|offline|rott[oa]|malat[oa]|in ferie)\b",
        r"\bper la (?:demo|riunione|presentazione)\b|\b(?:riga|linea) \d|^\w+ (?:un|una|il|la|i|le|"
        r"quest\w) (?:test|mail|messaggio|commento|ramo|branch|commit|pr|variabile|riga|virgola|"
        r"import|frase|refuso)\b",
    ),
)
PORTUGUESE = Orders(
    lead=r"não,|sim|ok|certo|mas|e|por favor|melhor|aqui|então",
    begins=(
        r"(?:us|utiliz|coloqu|troqu|coloc|guard|salv|troc|tir|deix|carreg|mand|envi|mostr|calcul|"
        r"valid|limit|separ|cri|migr|pass|evit|cham|armazen|mud)(?:a|e|em|ue|emos|ar)|(?:ponh|"
        r"substitu|faç|faz|escrev|mov|remov|lei|mantenh|escolh|prefir|divid)(?:a|am|amos|er|ir)?|"
        r"vamos|dev(?:emos|eríamos)|quer(?:o|ia)|gostaria|não usamos mais|"
        r"(?!mulher|ser)[a-zç]{3,}[aei]r"
    ),
    swaps=any_of(
        r"\b(?:em vez d\w+|ao invés d\w+|no lugar d\w+|e não|(?:troqu|substitu|troc)\w+ .+ por|"
        r"(?:mud|migr|pass|mov)\w+ .+ d\w+ .+ para)\b|, não\b"
    ),
    reason=any_of(
        r"\b(?:porque|pois|já que|visto que|dado que|uma vez que|senão|caso contrário|"
        r"para (?:que|não|evitar)|por causa d\w+)\b"
    ),
    tells=r"o|a|os|as|um|uma|noss\w+|cada|a gente|nós|não (?:queremos|podemos|temos)",
    passing=any_of(
        r"\b(?:porque|pois|já que) (?:não )?(?:eu|vou|tenho|estou|preciso|quero)\b|\bdepois\b",
        r"\b(?:hoje|amanhã|ontem|agora mesmo|por enquanto|por ora|no momento|temporariamente|"
        r"dessa vez|est[ae] (?:vez|semana|noite)|até (?:amanhã|sexta|segunda))\b",
        r"\b(?:quero|preciso|vou) (?:\w+ )?(?:ver|testar|verificar|comparar|mostrar|saber|ler|"
        r"entender)\b",
        r"\b(?:meu|minha) (?:notebook|laptop|máquina|branch|conta|pc|computador|tela)\b",
        r"\bestá (?:fora|caíd[oa]|quebrad[oa]|doente|de férias)\b",
        r"\bpara a (?:demo|reunião|apresentação)\b|\blinha \d|^\w+ (?:um|uma|o|a|est\w) "
        r"(?:teste|email|mensagem|comentário|branch|commit|pr|variável|linha|vírgula|import|"
        r"frase)\b",
    ),
)
DUTCH = Orders(
    lead=r"nee|ja|ok|oké|maar|en|dus|graag|liever|hier|toch|beter",
    begins=(
        r"(?:gebruik|neem|pak|zet|sla|bewaar|vervang|maak|schrijf|verplaats|haal|verwijder|laat|"
        r"laad|lees|stuur|toon|bereken|valideer|beperk|splits|bouw|migreer|houd?|vermijd|kies|doe|"
        r"schrap|versleutel|stop|roep)|laten we|we (?:gebruiken|nemen|moeten|zouden|houden|"
        r"blijven)|ik (?:wil|zou|heb liever)"
    ),
    swaps=any_of(
        r"\b(?:in plaats van|ipv|i\.p\.v\.?|en niet|vervang\w* .+ door|liever .+ dan|"
        r"van .+ naar)(?=\s|$)|, niet\b"
    ),
    reason=any_of(
        r"\b(?:omdat|want|doordat|aangezien|anders|zodat|vanwege)\b",
    ),
    tells=r"de|het|we|wij|onze|ons|elke|er|een|ze|niemand",
    passing=any_of(
        r"\b(?:omdat|want) ik\b|\b(?:straks|later|geen tijd|opzij)\b",
        r"\b(?:vandaag|morgen|gisteren|even|voorlopig|voor nu|op dit moment|tijdelijk|deze (?:week|"
        r"keer)|tot (?:morgen|\w+dag))\b",
        r"\bik\b.*\b(?:zien|testen|kijken|proberen|vergelijken|weten|lezen|begrijpen)\b",
        r"\bmijn (?:laptop|machine|branch|account|pc|computer|scherm)\b",
        r"\bis (?:plat|down|ziek|kapot|offline|op vakantie)\b|"
        r"\b(?:plat ligt|ziek is|down is|kapot is)\b",
        r"\bvoor de (?:demo|meeting|vergadering|presentatie)\b|\bregel \d|^\w+ (?:een|de|het|die|"
        r"dat|deze|dit) (?:tests?|mail|bericht|commentaar|branch|commit|pr|variabele|regel|komma|"
        r"import|zin|typfout)\b",
    ),
)

"""Word lists behind the rules of Appendix C, and behind the kinds that are ours (kinds.py). All in lower case."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> frozenset[str]:
    return frozenset(phrase.strip() for phrase in text.split(","))


FEATURES = _words(
    """archipelago basin bay bayou beach canal canyon cape cliff coast creek delta desert falls fjord forest
    glacier gorge gulf harbor harbour hill hills island islands isle isles lake lakes mountain mountains ocean
    peak peninsula plain plains plateau pond range reef reservoir ridge river rivers sea shore strait straits
    swamp valley volcano waterfall wetlands"""
)
"""Geographic feature nouns that may not end an entry."""

TITLES = _words(
    """admiral ambassador archbishop baron bishop captain cardinal chairman chancellor chief coach colonel
    commander congressman count countess czar dame director doctor duchess duke earl emperor empress general
    governor judge justice king lady lieutenant lord madam major marshal mayor minister monarch pharaoh pope
    premier president priest prince princess professor prophet queen rabbi representative saint secretary
    senator sergeant sheriff sir sultan treasurer tsar viceroy"""
)
"""Bare title nouns that are no name."""

GENERIC_ORGS = _words(
    """academy administration agency airline army assembly association band bank board bureau cabinet church club
    college commission committee commonwealth company conference confederacy congress constitution corporation
    council court crown department empire federation government group hospital house institute league
    legislature ministry mint mission museum navy office parliament party police school senate society state
    states treasury trust union university"""
)
"""Single words that name no particular organisation."""

MEDIA = _words(
    """bbc broadcaster chronicle daily examiner gazette guardian herald inquirer journal magazine news newspaper
    observer post radio sentinel telegraph television times tribune weekly"""
)

PROCESSES = _words("anaphase cytokinesis interphase metaphase prophase telophase")
"""Single-word processes that the endings below do not show."""

PROCESS_ENDINGS = ("ing", "sis", "tion", "ism")

DIRECTIONS = _words(
    """ancient central coastal downtown east eastern inland inner lower medieval mid modern north northeast
    northeastern northern northwest northwestern outer present-day rural south southeast southeastern southern
    southwest southwestern sub-saharan upper urban west western"""
)
"""Prefixes that make a place name a description when they stand in lower case."""

EDUCATION = {
    "university": "university",
    "universities": "university",
    "polytechnic": "university",
    "college": "college",
    "institute": "institute",
    "school": "school",
    "high": "school",
    "academy": "school",
    "seminary": "school",
}
"""Educational term -> its type."""

INSTITUTIONS = {
    word: group
    for group, words in {
        "company": """ag co company corp corporation enterprises gmbh group holdings inc incorporated industries limited
            llc ltd motors plc systems technologies""",
        "label": "entertainment music records recordings",
        "studio": "animation films pictures productions studio studios",
        "party": "party",
        "club": "athletic club fc rovers united wanderers",
        "league": "association conference division federation league ncaa union",
        "government": """administration agency authority board bureau cabinet commission committee congress council
            department government ministry office parliament senate service""",
        "court": "court courts tribunal",
        "military": "army brigade corps force forces guard marines navy regiment squadron",
        "church": "abbey cathedral church diocese mosque synagogue temple",
        "culture": "ballet choir gallery library museum opera orchestra theater theatre",
        "hospital": "clinic hospital",
        "bank": "bank banks",
        "charity": "foundation fund institution society trust",
        "transport": "airlines airways railroad railway railways",
        "media": "broadcasting channel cnn network television tv",
        "state": "caliphate commonwealth dynasty empire kingdom nations republic states",
    }.items()
    for word in words.split()
}
"""Institutional suffix -> its group."""

CONTINENTS = _phrases(
    """africa, antarctica, asia, australasia, central america, central asia, east africa, east asia, eastern
    africa, eastern europe, eurasia, europe, latin america, middle east, north africa, north america, northern africa,
    northern europe, oceania, scandinavia, south america, south asia, southeast asia, southern africa, southern
    europe, west africa, western asia, western europe, western hemisphere, eastern hemisphere, northern
    hemisphere, southern hemisphere"""
)

COUNTRIES = _phrases(
    """afghanistan, albania, algeria, america, andorra, angola, argentina, armenia, australia, austria, azerbaijan,
    bahamas, bahrain, bangladesh, barbados, belarus, belgium, belize, benin, bhutan, bolivia, bosnia, bosnia and
    herzegovina, botswana, brazil, britain, brunei, bulgaria, burkina faso, burma, burundi, cambodia, cameroon,
    canada, chad, chile, china, colombia, congo, costa rica, croatia, cuba, cyprus, czech republic,
    czechoslovakia, denmark, dominican republic, east germany, ecuador, egypt, el salvador, england, eritrea,
    estonia, ethiopia, fiji, finland, france, gabon, gambia, germany, ghana, great britain, greece, grenada,
    guatemala, guinea, guyana, haiti, honduras, hungary, iceland, india, indonesia, iran, iraq, ireland, israel,
    italy, ivory coast, jamaica, japan, jordan, kazakhstan, kenya, kosovo, kuwait, kyrgyzstan, laos, latvia,
    lebanon, lesotho, liberia, libya, liechtenstein, lithuania, luxembourg, macedonia, madagascar, malawi,
    malaysia, maldives, mali, malta, mauritania, mauritius, mexico, moldova, monaco, mongolia, montenegro,
    morocco, mozambique, myanmar, namibia, nepal, netherlands, new zealand, nicaragua, niger, nigeria, north
    korea, northern ireland, norway, oman, ottoman empire, pakistan, panama, papua new guinea, paraguay, persia,
    peru, philippines, poland, portugal, prussia, qatar, republic of ireland, romania, russia, rwanda, saudi
    arabia, scotland, senegal, serbia, sierra leone, singapore, slovakia, slovenia, somalia, south africa, south
    korea, south sudan, soviet union, spain, sri lanka, sudan, suriname, swaziland, sweden, switzerland, syria,
    taiwan, tajikistan, tanzania, thailand, tibet, togo, trinidad and tobago, tunisia, turkey, turkmenistan,
    u.k, u.s, u.s.a, uganda, uk, ukraine, united arab emirates, united kingdom, united states, united states of
    america, uruguay, us, usa, ussr, uzbekistan, venezuela, vietnam, wales, west germany, yemen, yugoslavia,
    zambia, zimbabwe"""
)

STATES = _phrases(
    """alabama, alaska, alberta, andhra pradesh, arizona, arkansas, assam, bihar, british columbia, california,
    colorado, connecticut, delaware, district of columbia, florida, goa, gujarat, hawaii, idaho, illinois,
    indiana, iowa, kansas, karnataka, kentucky, kerala, louisiana, maharashtra, maine, manitoba, maryland,
    massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada, new brunswick, new
    hampshire, new jersey, new mexico, new south wales, new york state, north carolina, north dakota, nova
    scotia, ohio, oklahoma, ontario, oregon, pennsylvania, punjab, quebec, queensland, rajasthan, rhode island,
    saskatchewan, south australia, south carolina, south dakota, tamil nadu, tasmania, telangana, tennessee,
    texas, uttar pradesh, utah, vermont, virginia, washington state, west bengal, west virginia, western
    australia, wisconsin, wyoming"""
)

PLACES = {
    word: group
    for group, words in {
        "sea": "bay channel gulf harbor harbour ocean sea strait",
        "river": "canal creek falls river",
        "lake": "lake lakes reservoir",
        "height": "alps andes himalayas hill hills mount mountain mountains peak plateau range ridge rockies",
        "island": "island islands isle isles",
        "land": "basin canyon cape coast desert forest peninsula plain plains valley",
        "road": "avenue boulevard drive freeway highway road route street turnpike",
        "crossing": "bridge tunnel",
        "venue": "arena center centre coliseum dome field speedway stadium",
        "park": "garden gardens park zoo",
        "airport": "airport airfield",
        "station": "junction station terminal",
        "fortress": "base castle citadel fort fortress palace",
        "building": "building hall hotel inn mansion",
        "tower": "tower towers",
        "mall": "mall plaza",
        "monument": "cemetery memorial monument statue",
        "jail": "jail penitentiary prison",
    }.items()
    for word in words.split()
}
"""Head noun of a location -> its kind."""

EVENTS = {
    word: group
    for group, words in {
        "war": "war",
        "conflict": """battle campaign conflict crisis crusade crusades invasion massacre mutiny rebellion revolt
            revolution riot riots siege uprising""",
        "sport": """bowl championship championships cup final finals games grand marathon olympics open playoffs prix
            series tour tournament""",
        "disaster": "cyclone earthquake famine fire flood hurricane plague storm tsunami typhoon",
        "feast": "carnival christmas day easter fair festival holiday parade",
        "era": "age ages depression enlightenment era period reformation renaissance",
    }.items()
    for word in words.split()
}
"""Word in the name of an event -> its kind."""

SURNAMES = _words(
    """bank banks bay bridge castle church field force forest fort gallery guard hall hill house lake marines music
    park party ridge street temple tower towers"""
)
"""Head nouns of places and institutions that are surnames too."""

AWARDS = _words("award awards emmy emmys grammy grammys medal nobel oscar oscars prize prizes tony")

FAITHS = _words(
    """buddhist catholic catholics christian christians hindu hindus islamic jain jewish jews lutheran methodist
    mormon muslim muslims orthodox protestant protestants puritan puritans quaker quakers shia sikh sikhs sunni
    zoroastrian buddhists baptist anglican anglicans evangelical"""
)

POLITICS = _words(
    """communist communists confederate conservative conservatives democrat democratic democrats federalist
    federalists fascist labour liberal liberals libertarian marxist nazi nazis republican republicans socialist
    socialists tory whig whigs"""
)

PARTICLES = _words("al and bin da de del della der di dos du el ibn la le of the van von y")
"""Lower-case words inside names."""

FUNCTION_WORDS = _words("a an and as at by for from in is it of on or that the to was were with")

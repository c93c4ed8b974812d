"""Word lists behind the rules of Appendix C, and behind the kinds that are ours (kinds.py). All in lower case."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in text.split(","))


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

SACRED = _words("christ god jesus")
"""Words of names that fit no other person's place."""

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
        "company": """ag co company corp corporation enterprises gmbh holdings inc incorporated industries
            limited llc ltd motors plc""",
        "label": "entertainment music records recordings",
        "studio": "animation films pictures productions studio studios",
        "party": "party",
        "club": "athletic club fc rovers united wanderers",
        "league": "division league ncaa",
        "association": "association federation union",
        "government": """administration agency authority board bureau cabinet commission committee congress council
            department government ministry office parliament senate service""",
        "court": "court courts tribunal",
        "military": "army brigade corps force forces marines navy regiment squadron",
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

CONTINENTS = _phrases("africa, antarctica, asia, australasia, europe, north america, oceania, south america")

REGIONS = _phrases(
    """central america, central asia, east africa, east asia, eastern africa, eastern europe, eurasia, latin america,
    middle east, north africa, northern africa, northern europe, scandinavia, south asia, southeast asia, southern
    africa, southern europe, west africa, western asia, western europe, western hemisphere, eastern hemisphere, northern
    hemisphere, southern hemisphere"""
)
"""Parts of the world larger than a country."""

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

STATES = {
    state: group
    for group, states in {
        "state": """alabama, alaska, arizona, arkansas, california, colorado, connecticut, delaware, district of
            columbia, florida, hawaii, idaho, illinois, indiana, iowa, kansas, kentucky, louisiana, maine, maryland,
            massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada, new hampshire, new
            jersey, new mexico, new york state, north carolina, north dakota, ohio, oklahoma, oregon, pennsylvania,
            rhode island, south carolina, south dakota, tennessee, texas, utah, vermont, virginia, washington state,
            west virginia, wisconsin, wyoming""",
        "province": "alberta, british columbia, manitoba, new brunswick, nova scotia, ontario, quebec, saskatchewan",
        "indian state": """andhra pradesh, assam, bihar, goa, gujarat, karnataka, kerala, maharashtra, punjab,
            rajasthan, tamil nadu, telangana, uttar pradesh, west bengal""",
        "australian state": "new south wales, queensland, south australia, tasmania, western australia",
    }.items()
    for state in _phrases(states)
}
"""State or province -> its kind: those of one federation replace each other."""

STATE_OR_CITY = _phrases("georgia, new york, washington")
"""Names of a state that are those of a city, or of a country, as well."""

LANDS = _words(
    """anatolia andalusia bavaria bohemia brittany burgundy catalonia cornwall crete crimea devon essex flanders galicia
    kent macedonia manchuria mesopotamia moravia norfolk normandy palestine patagonia piedmont prussia sardinia saxony
    siberia sicily silesia suffolk surrey sussex transylvania tuscany tyrol ulster wakanda westphalia"""
)
"""Lands that are no country, no state and no town."""

DIVISIONS = _words("county district dynasty empire kingdom municipality province republic")
"""Last words that say what sort of territory a name is."""

LANGUAGES = _words(
    """albanian arabic armenian bengali bulgarian catalan chinese croatian czech danish dutch english estonian finnish
    french german greek hebrew hindi hungarian icelandic irish italian japanese korean latin lithuanian malayalam
    norwegian persian polish portuguese punjabi romanian russian sanskrit serbian slovak spanish swedish tamil telugu
    thai turkish ukrainian urdu vietnamese welsh"""
)
"""Names of groups that are those of their languages, too."""

TEAMS = {
    nickname: sport
    for sport, nicknames in {
        "football": """49ers bears bengals bills broncos browns buccaneers chargers chiefs colts cowboys dolphins eagles
            falcons jaguars packers patriots raiders ravens redskins saints seahawks steelers texans titans vikings""",
        "baseball": """angels astros athletics braves brewers cubs diamondbacks dodgers indians mariners marlins mets
            nationals orioles padres phillies pirates rays reds rockies royals twins yankees""",
        "basketball": """bucks bulls cavaliers celtics clippers grizzlies hawks heat hornets jazz knickerbockers knicks
            lakers magic mavericks nets nuggets pacers pelicans pistons raptors rockets sixers spurs suns thunder
            timberwolves warriors wizards""",
        "hockey": """avalanche blackhawks bruins canadiens canucks capitals coyotes ducks flames flyers islanders
            lightning oilers penguins predators sabres sharks""",
        "college": """aggies bulldogs gamecocks gators hawkeyes huskies jayhawks longhorns seminoles sooners trojans
            wildcats wolverines""",
        "some": "blazers cardinals crusaders giants hurricanes jets kings lions panthers rams rangers tigers",
    }.items()
    for nickname in nicknames.split()
}
"""Nickname that ends a team's name -> its sport, as far as the nickname tells."""

PLACES = {
    word: group
    for group, words in {
        "ocean": "ocean",
        "sea": "sea",
        "gulf": "bay gulf",
        "harbour": "harbor harbour",
        "strait": "channel strait",
        "river": "river",
        "creek": "canal creek falls",
        "lake": "lake lakes reservoir",
        "range": "alps andes himalayas hills mountains range ridge rockies",
        "height": "mount mountain peak",
        "hill": "hill plateau",
        "island": "island islands isle isles",
        "land": "basin canyon cape coast desert forest peninsula plain plains valley",
        "road": "avenue boulevard drive freeway highway road route street turnpike",
        "crossing": "bridge tunnel",
        "venue": "arena center centre coliseum dome field speedway stadium",
        "park": "garden gardens park zoo",
        "airport": "airport airfield",
        "station": "station terminal",
        "junction": "junction",
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
        "battle": "battle massacre siege",
        "conflict": """campaign conflict crisis crusade crusades invasion mutiny rebellion revolt
            revolution riot riots uprising""",
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

// The countries of the demo season: ISO 3166-1 codes and names, four real places each. Teams and leagues are made up.

/// A country in which the demo season is played.
package struct DemoCountry: Sendable, Equatable {
    /// ISO 3166-1 alpha-2.
    package let code: String
    package let name: DemoName
    /// Whether its leagues play from February to November; else from August to May.
    package let playsWithinOneYear: Bool
    /// Four.
    package let towns: [DemoName]

    init(_ code: String, _ name: DemoName, withinOneYear: Bool = false, _ towns: DemoName...) {
        self.code = code
        self.name = name
        playsWithinOneYear = withinOneYear
        self.towns = towns
    }
}

/// A name in both languages.
package struct DemoName: Sendable, Equatable {
    package let en: String
    package let ko: String

    package init(_ en: String, _ ko: String) {
        self.en = en
        self.ko = ko
    }
}

extension DemoCountry {
    /// In order of their code. The position of a country is part of the ids of its leagues: append new ones at the end.
    package static let all: [DemoCountry] = [
        DemoCountry(
            "AR", DemoName("Argentina", "아르헨티나"), withinOneYear: true,
            DemoName("Salta", "살타"), DemoName("Paraná", "파라나"),
            DemoName("Ushuaia", "우수아이아"), DemoName("Tandil", "탄딜")),
        DemoCountry(
            "AT", DemoName("Austria", "오스트리아"),
            DemoName("Dürnstein", "뒤른슈타인"), DemoName("Hallstatt", "할슈타트"),
            DemoName("Mürzzuschlag", "뮈르츠추슐라크"), DemoName("Wörgl", "뵈르글")),
        DemoCountry(
            "AU", DemoName("Australia", "호주"),
            DemoName("Broome", "브룸"), DemoName("Dubbo", "더보"),
            DemoName("Hobart", "호바트"), DemoName("Mildura", "밀두라")),
        DemoCountry(
            "BE", DemoName("Belgium", "벨기에"),
            DemoName("Dinant", "디낭"), DemoName("Liège", "리에주"),
            DemoName("Ypres", "이퍼르"), DemoName("Spa", "스파")),
        DemoCountry(
            "BG", DemoName("Bulgaria", "불가리아"),
            DemoName("Varna", "바르나"), DemoName("Ruse", "루세"),
            DemoName("Pleven", "플레벤"), DemoName("Melnik", "멜니크")),
        DemoCountry(
            "BR", DemoName("Brazil", "브라질"), withinOneYear: true,
            DemoName("São João", "상주앙"), DemoName("Ouro Preto", "오루프레투"),
            DemoName("Belém", "벨렝"), DemoName("Gramado", "그라마두")),
        DemoCountry(
            "CA", DemoName("Canada", "캐나다"), withinOneYear: true,
            DemoName("Montréal", "몬트리올"), DemoName("Kelowna", "켈로나"),
            DemoName("Whitehorse", "화이트호스"), DemoName("Gaspé", "가스페")),
        DemoCountry(
            "CH", DemoName("Switzerland", "스위스"),
            DemoName("Zürich", "취리히"), DemoName("Neuchâtel", "뇌샤텔"),
            DemoName("Chur", "쿠어"), DemoName("Locarno", "로카르노")),
        DemoCountry(
            "CL", DemoName("Chile", "칠레"), withinOneYear: true,
            DemoName("Concepción", "콘셉시온"), DemoName("Arica", "아리카"),
            DemoName("Valdivia", "발디비아"), DemoName("Chillán", "치얀")),
        DemoCountry(
            "CN", DemoName("China", "중국"), withinOneYear: true,
            DemoName("Dali", "다리"), DemoName("Lijiang", "리장"),
            DemoName("Harbin", "하얼빈"), DemoName("Guilin", "구이린")),
        DemoCountry(
            "CO", DemoName("Colombia", "콜롬비아"), withinOneYear: true,
            DemoName("Popayán", "포파얀"), DemoName("Cúcuta", "쿠쿠타"),
            DemoName("Leticia", "레티시아"), DemoName("Salento", "살렌토")),
        DemoCountry(
            "CZ", DemoName("Czechia", "체코"),
            DemoName("Třebíč", "트르제비치"), DemoName("Plzeň", "플젠"),
            DemoName("Telč", "텔치"), DemoName("Žďár", "즈다르")),
        DemoCountry(
            "DE", DemoName("Germany", "독일"),
            DemoName("München", "뮌헨"), DemoName("Gießen", "기센"),
            DemoName("Köln", "쾰른"), DemoName("Görlitz", "괴를리츠")),
        DemoCountry(
            "DK", DemoName("Denmark", "덴마크"),
            DemoName("Køge", "쾨게"), DemoName("Ærø", "에뢰"),
            DemoName("Ribe", "리베"), DemoName("Skagen", "스카겐")),
        DemoCountry(
            "EE", DemoName("Estonia", "에스토니아"), withinOneYear: true,
            DemoName("Pärnu", "패르누"), DemoName("Võru", "버루"),
            DemoName("Narva", "나르바"), DemoName("Haapsalu", "합살루")),
        DemoCountry(
            "EG", DemoName("Egypt", "이집트"),
            DemoName("Aswan", "아스완"), DemoName("Siwa", "시와"),
            DemoName("Luxor", "룩소르"), DemoName("Dahab", "다합")),
        DemoCountry(
            "ES", DemoName("Spain", "스페인"),
            DemoName("Atlético Ávila", "아틀레티코 아빌라"), DemoName("Cádiz", "카디스"),
            DemoName("Logroño", "로그로뇨"), DemoName("Gijón", "히혼")),
        DemoCountry(
            "FI", DemoName("Finland", "핀란드"), withinOneYear: true,
            DemoName("Jyväskylä", "이위베스퀼레"), DemoName("Oulu", "오울루"),
            DemoName("Hämeenlinna", "헤멘린나"), DemoName("Rauma", "라우마")),
        DemoCountry(
            "FR", DemoName("France", "프랑스"),
            DemoName("Besançon", "브장송"), DemoName("Orléans", "오를레앙"),
            DemoName("Sète", "세트"), DemoName("Colmar", "콜마르")),
        DemoCountry(
            "GB", DemoName("United Kingdom", "영국"),
            DemoName("Whitby", "휘트비"), DemoName("Tenby", "텐비"),
            DemoName("Oban", "오번"), DemoName("Keswick", "케직")),
        DemoCountry(
            "GE", DemoName("Georgia", "조지아"), withinOneYear: true,
            DemoName("Batumi", "바투미"), DemoName("Telavi", "텔라비"),
            DemoName("Mestia", "메스티아"), DemoName("Gori", "고리")),
        DemoCountry(
            "GR", DemoName("Greece", "그리스"),
            DemoName("Volos", "볼로스"), DemoName("Ioannina", "이오안니나"),
            DemoName("Kavala", "카발라"), DemoName("Chania", "하니아")),
        DemoCountry(
            "HR", DemoName("Croatia", "크로아티아"),
            DemoName("Šibenik", "시베니크"), DemoName("Poreč", "포레치"),
            DemoName("Zadar", "자다르"), DemoName("Đakovo", "자코보")),
        DemoCountry(
            "HU", DemoName("Hungary", "헝가리"),
            DemoName("Győr", "죄르"), DemoName("Pécs", "페치"),
            DemoName("Kőszeg", "쾨세그"), DemoName("Tokaj", "토카이")),
        DemoCountry(
            "ID", DemoName("Indonesia", "인도네시아"),
            DemoName("Ubud", "우붓"), DemoName("Malang", "말랑"),
            DemoName("Bogor", "보고르"), DemoName("Manado", "마나도")),
        DemoCountry(
            "IE", DemoName("Ireland", "아일랜드"), withinOneYear: true,
            DemoName("Dún Laoghaire", "던리어리"), DemoName("Kinsale", "킨세일"),
            DemoName("Sligo", "슬라이고"), DemoName("Ennis", "에니스")),
        DemoCountry(
            "IN", DemoName("India", "인도"),
            DemoName("Shimla", "심라"), DemoName("Hampi", "함피"),
            DemoName("Udaipur", "우다이푸르"), DemoName("Kochi", "코치")),
        DemoCountry(
            "IS", DemoName("Iceland", "아이슬란드"), withinOneYear: true,
            DemoName("Ísafjörður", "이사피외르뒤르"), DemoName("Húsavík", "후사비크"),
            DemoName("Akureyri", "아퀴레이리"), DemoName("Þórshöfn", "토르스회픈")),
        DemoCountry(
            "IT", DemoName("Italy", "이탈리아"),
            DemoName("Forlì", "포를리"), DemoName("Lecce", "레체"),
            DemoName("Aosta", "아오스타"), DemoName("Matera", "마테라")),
        DemoCountry(
            "JP", DemoName("Japan", "일본"), withinOneYear: true,
            DemoName("Otaru", "오타루"), DemoName("Matsue", "마쓰에"),
            DemoName("Takayama", "다카야마"), DemoName("Beppu", "벳푸")),
        DemoCountry(
            "KE", DemoName("Kenya", "케냐"),
            DemoName("Lamu", "라무"), DemoName("Nakuru", "나쿠루"),
            DemoName("Nyeri", "니에리"), DemoName("Kitale", "키탈레")),
        DemoCountry(
            "KR", DemoName("South Korea", "대한민국"), withinOneYear: true,
            DemoName("Gangneung", "강릉"), DemoName("Tongyeong", "통영"),
            DemoName("Namwon", "남원"), DemoName("Sokcho", "속초")),
        DemoCountry(
            "KZ", DemoName("Kazakhstan", "카자흐스탄"), withinOneYear: true,
            DemoName("Taraz", "타라즈"), DemoName("Aktau", "악타우"),
            DemoName("Semey", "세메이"), DemoName("Kokshetau", "콕셰타우")),
        DemoCountry(
            "LT", DemoName("Lithuania", "리투아니아"), withinOneYear: true,
            DemoName("Klaipėda", "클라이페다"), DemoName("Šiauliai", "샤울랴이"),
            DemoName("Trakai", "트라카이"), DemoName("Nida", "니다")),
        DemoCountry(
            "LV", DemoName("Latvia", "라트비아"), withinOneYear: true,
            DemoName("Liepāja", "리에파야"), DemoName("Cēsis", "체시스"),
            DemoName("Sigulda", "시굴다"), DemoName("Kuldīga", "쿨디가")),
        DemoCountry(
            "MA", DemoName("Morocco", "모로코"),
            DemoName("Fès", "페스"), DemoName("Essaouira", "에사우이라"),
            DemoName("Chefchaouen", "셰프샤우엔"), DemoName("Agadir", "아가디르")),
        DemoCountry(
            "MX", DemoName("Mexico", "멕시코"),
            DemoName("Mérida", "메리다"), DemoName("Oaxaca", "오악사카"),
            DemoName("Xalapa", "할라파"), DemoName("Taxco", "탁스코")),
        DemoCountry(
            "NL", DemoName("Netherlands", "네덜란드"),
            DemoName("Delft", "델프트"), DemoName("Gouda", "하우다"),
            DemoName("Zwolle", "즈볼러"), DemoName("Hoorn", "호른")),
        DemoCountry(
            "NO", DemoName("Norway", "노르웨이"), withinOneYear: true,
            DemoName("Tromsø", "트롬쇠"), DemoName("Ålesund", "올레순"),
            DemoName("Bodø", "보되"), DemoName("Røros", "뢰로스")),
        DemoCountry(
            "NZ", DemoName("New Zealand", "뉴질랜드"),
            DemoName("Nelson", "넬슨"), DemoName("Napier", "네이피어"),
            DemoName("Whakatāne", "와카타네"), DemoName("Oamaru", "오아마루")),
        DemoCountry(
            "PE", DemoName("Peru", "페루"), withinOneYear: true,
            DemoName("Cusco", "쿠스코"), DemoName("Puno", "푸노"),
            DemoName("Áncash", "앙카시"), DemoName("Ica", "이카")),
        DemoCountry(
            "PL", DemoName("Poland", "폴란드"),
            DemoName("Łódź", "우치"), DemoName("Gdańsk", "그단스크"),
            DemoName("Toruń", "토룬"), DemoName("Zakopane", "자코파네")),
        DemoCountry(
            "PT", DemoName("Portugal", "포르투갈"),
            DemoName("Évora", "에보라"), DemoName("Óbidos", "오비두스"),
            DemoName("Guimarães", "기마랑이스"), DemoName("Faro", "파루")),
        DemoCountry(
            "RO", DemoName("Romania", "루마니아"),
            DemoName("Brașov", "브라쇼브"), DemoName("Timișoara", "티미쇼아라"),
            DemoName("Sibiu", "시비우"), DemoName("Constanța", "콘스탄차")),
        DemoCountry(
            "RS", DemoName("Serbia", "세르비아"),
            DemoName("Niš", "니시"), DemoName("Užice", "우지체"),
            DemoName("Subotica", "수보티차"), DemoName("Zemun", "제문")),
        DemoCountry(
            "SE", DemoName("Sweden", "스웨덴"), withinOneYear: true,
            DemoName("Malmö", "말뫼"), DemoName("Kiruna", "키루나"),
            DemoName("Västerås", "베스테로스"), DemoName("Visby", "비스뷔")),
        DemoCountry(
            "SK", DemoName("Slovakia", "슬로바키아"),
            DemoName("Košice", "코시체"), DemoName("Žilina", "질리나"),
            DemoName("Poprad", "포프라트"), DemoName("Levoča", "레보차")),
        DemoCountry(
            "TR", DemoName("Türkiye", "튀르키예"),
            DemoName("İznik", "이즈니크"), DemoName("Şile", "실레"),
            DemoName("Ürgüp", "위르귀프"), DemoName("Datça", "다차")),
        DemoCountry(
            "US", DemoName("United States", "미국"), withinOneYear: true,
            DemoName("Taos", "타오스"), DemoName("Juneau", "주노"),
            DemoName("Savannah", "서배너"), DemoName("Duluth", "덜루스")),
        DemoCountry(
            "VN", DemoName("Vietnam", "베트남"),
            DemoName("Huế", "후에"), DemoName("Đà Lạt", "달랏"),
            DemoName("Hội An", "호이안"), DemoName("Sa Pa", "사파")),
    ]
}

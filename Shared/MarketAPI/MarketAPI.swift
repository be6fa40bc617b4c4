// MarketAPI

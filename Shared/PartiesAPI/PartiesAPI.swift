// The contract of the parties service: people who share a taxi find each other by place and time.

public import Endpoints

/// The parties service's contract.
public enum PartiesAPI {
    /// Every public endpoint, in the order of the OpenAPI document.
    public static let endpoints: [any Endpoint.Type] = [
        CreateParty.self, GetParty.self, CancelParty.self, JoinParty.self, ListPartiesInBox.self,
        FindAddress.self, FindAddressForPeer.self,
    ]
}

extension Problem.Code {
    /// 409: every seat of the party is taken.
    public static let partyFull = Self("party_full", status: 409, title: "The party is full")
    /// 409: the party has departed or was cancelled; nobody joins or leaves it any more.
    public static let partyClosed = Self("party_closed", status: 409, title: "The party is closed")
}

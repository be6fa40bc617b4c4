// Who users are, for the services that show them: looked up at auth, kept for a short while. A name is decoration: when
// auth does not answer, answers go without it, or with the last one known.
package import AuthAPI
import Endpoints
import EventLoop
import Synchronization
package import Vocabulary

/// Profiles of users, from auth.
package final class UserDirectory: Sendable {
    private let auth: PeerClient
    private let known = Mutex<[UserID: Entry]>([:])

    /// Nanoseconds a profile is taken to be true: a changed nickname shows within a minute.
    private static let lifetime: UInt64 = 60_000_000_000
    /// Nanoseconds the last known profile serves while auth does not answer.
    private static let lastResort: UInt64 = 600_000_000_000
    /// Profiles kept, about 2 MB; reaching it drops those that are no longer true, then all.
    private static let capacity = 10_000
    /// Nanoseconds an answer waits for names.
    private static let patience: UInt64 = 1_000_000_000

    private struct Entry {
        var profile: UserProfile
        var fetchedAt: UInt64
    }

    package init(auth: PeerClient) {
        self.auth = auth
    }

    /// The profiles that can be had within a second. Missing: users that don't exist, and those auth could not tell of.
    package func profiles(
        of ids: some Sequence<UserID> & Sendable, for context: Context
    ) async -> [UserID: UserProfile] {
        let now = EventLoop.now
        var found: [UserID: UserProfile] = [:]
        var last: [UserID: UserProfile] = [:]
        var missing: Set<UserID> = []
        known.withLock { known in
            for id in ids {
                let entry = known[id]
                let age = entry.map { now &- $0.fetchedAt } ?? .max
                if let entry, age < Self.lifetime {
                    found[id] = entry.profile
                    continue
                }
                missing.insert(id)
                if let entry, age < Self.lastResort { last[id] = entry.profile }
            }
        }
        let wanted = missing.sorted()
        var start = 0
        while start < wanted.count {
            let end = min(start + ListUserProfiles.most, wanted.count)
            let part = Array(wanted[start..<end])
            start = end
            do throws(PeerFailure) {
                for profile in try await fetch(part, context) { found[profile.id] = profile }
            } catch {
                context.log.notice("answered without names: \(error)")
                found.merge(last) { fresh, _ in fresh }
                break
            }
        }
        return found
    }

    /// Whether an account of that id exists.
    /// - Throws: `PeerFailure` when auth can't tell.
    package func exists(
        _ id: UserID, for context: Context
    ) async throws(PeerFailure) -> Bool {
        let now = EventLoop.now
        let entry = known.withLock { $0[id] }
        if let entry, now &- entry.fetchedAt < Self.lifetime { return true }
        return try await !fetch([id], context).isEmpty
    }

    private func fetch(
        _ ids: [UserID], _ context: Context
    ) async throws(PeerFailure) -> [UserProfile] {
        let profiles = try await auth.send(
            ListUserProfiles(ids: ids), for: context, timeout: Self.patience
        ).items
        let now = EventLoop.now
        known.withLock { known in
            if known.count + profiles.count > Self.capacity {
                known = known.filter { now &- $0.value.fetchedAt < Self.lifetime }
                if known.count + profiles.count > Self.capacity { known = [:] }
            }
            for id in ids { known[id] = nil }
            for profile in profiles { known[profile.id] = Entry(profile: profile, fetchedAt: now) }
        }
        return profiles
    }
}

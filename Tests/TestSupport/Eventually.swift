// Waiting for a condition instead of for a time.

/// Looks every few milliseconds until the condition holds.
/// - Returns: whether it did within `seconds`.
package func eventually(
    within seconds: Int = 10, _ condition: () async -> Bool
) async -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return await condition()
}

// Five real processes, an edge and a database: what only shows when everything runs together. The suite's parts are in the
// files beside this one; they run one after the other, for two fleets at once would be slow and no harder.

import Testing

@Suite(.serialized) struct EndToEndTests {}

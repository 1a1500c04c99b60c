/** How many uploads there may be at a time, and how long they are kept, where the settings do not say. */
export const uploadLimits = {
  /** `maxConcurrentUploads` */
  concurrent: 20,
  /** Of them those of one client: `maxUploadsPerClient`. */
  shareOfClient: 1 / 2,
  /** Uploads of a user that have begun: `maxResumable`. */
  pending: 100,
  /** Those of all callers without a token: so many times as many. */
  ofAnybody: 10,
  /** Those of one network, of callers without a token: `maxResumablePerNetwork`. */
  pendingOfNetwork: 10,
  /** Seconds that an upload which does not go on is kept: `resumableTtl`. */
  ttl: 24 * 60 * 60,
  /** The same of callers without a token: `resumableIdle`. */
  idle: 60 * 60
} as const

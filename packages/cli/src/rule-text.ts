/** Access rules in words. */

/**
 * A rule in one line, as far as it says who may call what.
 *
 * ```js
 * describeRule({ permission: 'DENY', principalId: '$everyone' }) // 'DENY ROLE $everyone, * of *'
 * ```
 */
export const describeRule = ({
  permission,
  principalType,
  principalId,
  accessType,
  property,
  rows
}: Readonly<Record<string, unknown>>): string =>
  `${String(permission)} ${String(principalType ?? 'ROLE')} ${String(principalId)}, ${String(accessType ?? '*')} of ` +
  `${[property ?? '*'].flat().join(', ')}${rows === undefined || rows === null ? '' : `, rows ${JSON.stringify(rows)}`}`

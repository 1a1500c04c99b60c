import { BlockList, isIP } from 'node:net'
import { InvalidOptionsError } from './errors.js'

const thisMachine = ['127.0.0.0/8', '::1']

/**
 * Whether an address is in a list of addresses and networks.
 *
 * ```js
 * const isAllowed = allowedBy(['10.0.0.0/8'])
 * isAllowed('10.1.2.3') // true
 * ```
 * @throws FBK_HEALTH_INVALID_OPTIONS
 */
export function allowedBy (list: readonly string[] = thisMachine): (address: string) => boolean {
  const known = new BlockList()
  for (const entry of list) {
    const [address = '', prefix] = entry.split('/')
    const version = isIP(address)
    const bits = prefix === undefined ? undefined : Number(prefix)
    const longest = version === 4 ? 32 : 128
    if (version === 0 || (bits !== undefined && !(Number.isInteger(bits) && bits >= 0 && bits <= longest))) {
      throw new InvalidOptionsError(`the option "allow" must have addresses and networks, such as "10.0.0.0/8", and has "${entry}".`)
    }
    const family = version === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) known.addAddress(address, family)
    else known.addSubnet(address, bits, family)
  }
  return given => {
    // A socket that takes both versions tells IPv4 addresses in the form of the other.
    const address = given.replace(/^::ffff:(?=\d+\.)/i, '')
    const version = isIP(address)
    return version !== 0 && known.check(address, version === 4 ? 'ipv4' : 'ipv6')
  }
}

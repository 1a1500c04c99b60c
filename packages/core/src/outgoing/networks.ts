/**
 * Which addresses are of the public internet: those that IANA's registries of special-purpose addresses do not name, to
 * which packets of anybody may go.
 */
import { BlockList, isIP } from 'node:net'
import { InvalidNetworkError } from '../errors.js'

type Network = readonly [address: string, prefix: number]

const special4: readonly Network[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by the customers of a provider
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local; clouds keep their secrets there
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarking
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 3] // multicast, reserved, broadcast
]

/**
 * The only part of IPv6 that is given out. Outside of it are loopback, link-local, site-local and unique local
 * addresses, multicast, and the forms that hold an IPv4 address: mapped, compatible, translated (`64:ff9b::/96`).
 */
const global6: Network = ['2000::', 3]

const special6: readonly Network[] = [
  ['2001::', 23], // protocol assignments, Teredo (which holds an IPv4 address), benchmarking, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: holds an IPv4 address
  ['3fff::', 20] // documentation
]

const special = listOf([...special4, ...special6])
const global = listOf([global6])

function listOf (networks: readonly Network[]): BlockList {
  const list = new BlockList()
  for (const [address, prefix] of networks) list.addSubnet(address, prefix, familyOf(address))
  return list
}

function familyOf (address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/**
 * Whether an address (of either family, as text; with no brackets) is global unicast. What is no address is not.
 *
 * ```js
 * isGlobalUnicast('10.1.2.3') // false
 * isGlobalUnicast('1.1.1.1') // true
 * ```
 */
export function isGlobalUnicast (address: string): boolean {
  switch (isScoped(address) ? 0 : isIP(address)) {
    case 4: return !special.check(address, 'ipv4')
    case 6: return global.check(address, 'ipv6') && !special.check(address, 'ipv6')
    default: return false
  }
}

/** `fe80::1%eth0`: an address of one link. */
const isScoped = (address: string): boolean => address.includes('%')

/** A set of networks: addresses, and networks in CIDR notation. */
export class Networks {
  readonly #list: BlockList

  /** @throws FBK_CORE_INVALID_NETWORK */
  constructor (written: readonly string[]) {
    this.#list = listOf(written.map(parse))
  }

  has (address: string): boolean {
    return !isScoped(address) && isIP(address) !== 0 && this.#list.check(address, familyOf(address))
  }
}

function parse (written: string): Network {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(written) ?? []
  const bits = isIP(address) === 6 ? 128 : 32
  const prefix = length === undefined ? bits : Number(length)
  if (isIP(address) === 0 || isScoped(address) || prefix > bits) throw new InvalidNetworkError(written)
  return [address, prefix]
}

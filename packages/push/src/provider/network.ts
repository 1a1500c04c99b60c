/** Where providers may connect to (PU-69; security.md, S-83). */
import { Outgoing } from '@fastback/core/outgoing'
import type { ProviderContext } from './provider.js'

const loopback = ['127.0.0.0/8', '::1']

/** Addresses of services come from rows and from clients: public ones only, and this machine's outside production. */
export const outgoingOf = ({ allowLoopback }: ProviderContext): Outgoing =>
  new Outgoing({ allow: allowLoopback ? loopback : [] })

/** `https:` alone, and `http:` to this machine outside production. */
export const isAllowedOrigin = ({ protocol, hostname }: URL, { allowLoopback }: ProviderContext): boolean =>
  protocol === 'https:' ||
  (allowLoopback && protocol === 'http:' && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))

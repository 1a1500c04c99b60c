/** How streams of objects are written: as server-sent events, or as JSON line by line. */
import { Change } from '@fastback/core'
import { bigIntAsJson, ChangeGap, StreamSignal } from '@fastback/core/remote'

export interface StreamEncoding {
  /** Media type. */
  readonly type: string
  /** What a stream begins with, which shows that it is open. */
  readonly begin: string
  /** Empty where there is none. */
  readonly heartbeat: string
  /** Last words of a stream whose source has ended, and of one that failed. */
  readonly end: string
  readonly error: string
  /** Last words of a stream that the server ends for reasons of its own. */
  leave (): string
  /** Last words of a stream whose client may not have it any more: who comes back is told by the status. */
  withdrawn (): string
  /** One object of the stream, as it goes over the wire. */
  text (object: unknown): string
}

/** Browsers come back by themselves, after this time and with the id of the last event. */
const comeBack = (): string => `retry: ${String(Math.round(1_000 + 1_000 * Math.random()))}\n\n`

export const events: StreamEncoding = {
  type: 'text/event-stream',
  begin: ':ok\n\n',
  heartbeat: ':\n\n',
  end: 'event: end\ndata: null\n\n',
  error: 'event: error\ndata: {"message":"The stream failed"}\n\n',
  leave: comeBack,
  withdrawn: () => `:access has ended\n${comeBack()}`,
  text (object) {
    if (object instanceof ChangeGap) return 'event: gap\ndata: null\n\n'
    if (object instanceof StreamSignal) return signalText(object)
    return `${object instanceof Change ? `id: ${object.sequence}\n` : ''}event: data\ndata: ${jsonOf(object)}\n\n`
  }
}

const signalText = ({ event, id, text }: StreamSignal): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${text}\n\n`

/** LoopBack's line format: a name for the stream, what happened, the object. */
export const lines: StreamEncoding = {
  type: 'application/json; boundary=NL',
  begin: '["changes","new",{"writable":false,"readable":true}]\n',
  heartbeat: '',
  end: '["changes","end"]\n',
  error: '["changes","error",{"message":"The stream failed"}]\n',
  leave: () => '',
  withdrawn: () => '',
  text (object) {
    if (object instanceof ChangeGap) return '["changes","gap"]\n'
    if (object instanceof StreamSignal) return `["changes",${JSON.stringify(object.event)},${object.text}]\n`
    return `["changes","data",${jsonOf(object)}]\n`
  }
}

/** What a change looks like on the wire: removals tell which row it was, nothing more. */
function jsonOf (object: unknown): string {
  if (!(object instanceof Change)) return JSON.stringify(object)
  const { type, text } = object
  const target = JSON.stringify(typeof object.target === 'bigint' ? bigIntAsJson(object.target) : object.target ?? null)
  return type === 'remove'
    ? `{"target":${target},"type":"remove"}`
    : `{"target":${target},"data":${text},"type":"${type}"}`
}

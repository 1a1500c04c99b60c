import { Type, type Static } from '@sinclair/typebox'

const path = Type.String({ pattern: '^/' })
const milliseconds = Type.Integer({ minimum: 0 })

export const HealthSchema = Type.Object({
  /** Where `/live` and `/ready` are. Default: `/health`. */
  path: Type.Optional(path),
  /** Where Prometheus reads; false: nowhere, and nothing is counted. Default: `/metrics`. */
  metrics: Type.Optional(Type.Union([path, Type.Literal(false)])),
  /** Whether the times of statements are measured, which costs some microseconds for each. Default: false. */
  statements: Type.Optional(Type.Boolean()),
  /**
   * Whether requests, methods, hooks, queries and calls to services are traced by `@opentelemetry/api`; with
   * `statements`, spans have the text of statements. Default: false.
   */
  traces: Type.Optional(Type.Union([
    Type.Boolean(), Type.Object({ statements: Type.Optional(Type.Boolean()) }, { additionalProperties: false })
  ])),
  /**
   * Addresses and networks (`10.0.0.0/8`) that are told of each component, and may read the metrics. Default: this
   * machine.
   */
  allow: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
  /** Data sources that do not count for `/ready`. Default: none. */
  except: Type.Optional(Type.Array(Type.String())),
  /** Milliseconds in which a data source must answer. Default: 1000. */
  timeout: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Milliseconds for which a response of `/ready` holds. Default: 500. */
  freshness: Type.Optional(milliseconds),
  /** Milliseconds that the event loop may come late, on average of a second. Default: 1000. */
  maxEventLoopDelay: Type.Optional(Type.Integer({ minimum: 1 })),
  /**
   * Milliseconds between the moment in which `/ready` tells of the end, and the end: as long as load balancers need to
   * notice. Default: 0.
   */
  drainDelay: Type.Optional(milliseconds),
  /** A port of its own for all of this; else it is beside the application's routes. */
  port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
  /** The address of that port. Default: `127.0.0.1`. */
  host: Type.Optional(Type.String({ minLength: 1 }))
}, { additionalProperties: false })

export type HealthOptions = Static<typeof HealthSchema>

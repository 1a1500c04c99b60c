import { MessageChannel, type MessagePort } from 'node:worker_threads'
import t from 'tap'
import { busSuite } from '@fastback/connector-tests'
import { ModelRegistry } from '@fastback/core'
import { busSettingOf, clusterBus, ClusterHub, MemoryHub, memoryBus, type BusChannel } from '@fastback/core/bus'

t.test('memory', async t => {
  const hub = new MemoryHub()
  const registry = (namespace: string) => {
    const made = new ModelRegistry({ settings: { bus: { memory: true, namespace } } })
    made.busDrivers.set('memory', memoryBus(hub))
    return made
  }
  await busSuite(t, { name: 'memory', registry, cut: namespace => { hub.cut(namespace) } })
})

t.test('cluster', async t => {
  const hub = new ClusterHub()
  const ports: MessagePort[] = []
  t.teardown(() => { for (const port of ports) port.close() })
  const registry = (namespace: string) => {
    const made = new ModelRegistry({ settings: { bus: { cluster: true, namespace } } })
    const { port1, port2 } = new MessageChannel()
    ports.push(port1, port2)
    hub.add(channel(port1))
    made.busDrivers.set('cluster', clusterBus(channel(port2)))
    return made
  }
  await busSuite(t, { name: 'cluster', registry })

  const byItself = new ModelRegistry()
  byItself.busDrivers.set('cluster', clusterBus(channel(new MessageChannel().port1)))
  await byItself.start()
  t.equal(byItself.bus.driver, 'cluster', 'no setting is needed')
  await byItself.stop()
  byItself.settings.bus = false
  await byItself.start()
  t.equal(byItself.bus.driver, undefined, 'a setting may say no')
  await byItself.stop()
})

/** A port has the channel's messages, in another form. */
function channel (port: MessagePort): BusChannel {
  port.unref()
  return {
    send (message, done) {
      port.postMessage(message)
      done()
    },
    on: (event, listener) => port.on(event === 'disconnect' ? 'close' : event, listener as never),
    off: (event, listener) => port.off(event === 'disconnect' ? 'close' : event, listener as never)
  }
}

t.test('without a setting it is in-process, and publishing does nothing', async t => {
  const registry = new ModelRegistry()
  await registry.start()
  t.teardown(() => registry.stop())
  let heard = 0
  registry.bus.subscribe('news', { message () { heard++ }, reset () { heard++ } })
  registry.bus.publish('news', 1)
  t.strictSame([registry.bus.driver, registry.bus.hasOthers, heard], [undefined, false, 0])
})

t.test('settings', async t => {
  t.strictSame(busSettingOf({ redis: 'redis://localhost', namespace: 'shop' }),
    { namespace: 'shop', automatic: undefined, named: { driver: 'redis', setting: 'redis://localhost' } })
  t.equal(busSettingOf('auto').automatic, 'nothing stored')
  t.equal(busSettingOf(true).automatic, 'anything')
  t.equal(busSettingOf(false).automatic, undefined)
  for (const wrong of ['redis', 7, [], { redis: 'a', postgres: 'b' }, { namespace: '' }, { namespace: 7 }]) {
    t.throws(() => busSettingOf(wrong), { code: 'FBK_CORE_BUS_SETTINGS' })
  }
  const unknown = new ModelRegistry({ settings: { bus: { redi: 'x' } } })
  unknown.busDrivers.set('redis', memoryBus(new MemoryHub()))
  await t.rejects(unknown.start(), { code: 'FBK_CORE_UNKNOWN_BUS_DRIVER', message: /redis/ })
  await t.rejects(new ModelRegistry({ settings: { bus: true } }).start(), { code: 'FBK_CORE_BUS_SETTINGS' })
})

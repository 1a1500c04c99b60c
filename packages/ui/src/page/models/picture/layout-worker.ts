/** Lays graphs out in a thread of its own, so that the page goes on. */
import { laidOut, type Shape } from './layout.js'

self.onmessage = ({ data }: MessageEvent<Shape>) => { self.postMessage(laidOut(data)) }

import { Empty } from '../components/empty.js'
import type { View } from '../views.js'

export const dataView: View = { Main: () => <Empty icon="box" title="Nothing here yet"/> }

import { Signal } from '../db/signal.ts'

export const deliveriesLeft = new Signal()

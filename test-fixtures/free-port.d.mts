/** A port of this machine that nobody listens at. */
export declare function freePort (): Promise<number>

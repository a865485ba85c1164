/** What a store is kept in has gone: this handle will never work again, but a new one may. */
export class LostStore extends Error {}

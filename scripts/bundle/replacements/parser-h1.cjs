/* An experimental second parser of responses. Only `UNDICI_USE_MILO` turns it on. */
module.exports = { getMiloEnabled: () => false };

// node_modules/svelte/src/internal/shared/utils.js
var e = Array.isArray, t = Array.prototype.indexOf, n = Array.prototype.includes, r = Array.from, i = Object.defineProperty, a = Object.getOwnPropertyDescriptor, o = Object.getOwnPropertyDescriptors, s = Object.prototype, c = Array.prototype, l = Object.getPrototypeOf, u = Object.isExtensible, d = () => {};
function f(e) {
	for (var t = 0; t < e.length; t++) e[t]();
}
function p() {
	var e, t;
	return {
		promise: new Promise((n, r) => {
			e = n, t = r;
		}),
		resolve: e,
		reject: t
	};
}
function m(e, t) {
	if (Array.isArray(e)) return e;
	if (t === void 0 || !(Symbol.iterator in e)) return Array.from(e);
	let n = [];
	for (let r of e) if (n.push(r), n.length === t) break;
	return n;
}
// node_modules/svelte/src/internal/client/constants.js
var h = 1 << 24, g = 1024, _ = 2048, v = 4096, y = 8192, b = 16384, x = 32768, S = 1 << 25, C = 65536, w = 1 << 19, T = 1 << 20, E = 1 << 25, ee = 1 << 21, te = 1 << 22, ne = 1 << 23, re = Symbol("$state"), ie = Symbol("component"), ae = Symbol("legacy props"), oe = Symbol(""), se = Symbol("attributes"), ce = Symbol("class"), le = Symbol("style"), ue = Symbol("text"), de = Symbol("form reset"), fe = new class extends Error {
	name = "StaleReactionError";
	message = "The reaction that called `getAbortSignal()` was re-run or destroyed";
}(), pe = !!globalThis.document?.contentType && /* @__PURE__ */ globalThis.document.contentType.includes("xml"), me = {}, he = Symbol("uninitialized"), ge = "http://www.w3.org/1999/xhtml", _e = "http://www.w3.org/2000/svg", ve = "http://www.w3.org/1998/Math/MathML";
function ye() {
	console.warn("https://svelte.dev/e/derived_inert");
}
function be(e) {
	console.warn("https://svelte.dev/e/hydration_mismatch");
}
function xe() {
	console.warn("https://svelte.dev/e/select_multiple_invalid_value");
}
function Se() {
	console.warn("https://svelte.dev/e/svelte_boundary_reset_noop");
}
// node_modules/svelte/src/internal/client/dom/hydration.js
var D = !1;
function Ce(e) {
	D = e;
}
var O;
function we(e) {
	if (e === null) throw be(), me;
	return O = e;
}
function Te() {
	return we(/* @__PURE__ */ an(O));
}
function k(e) {
	if (D) {
		if (/* @__PURE__ */ an(O) !== null) throw be(), me;
		O = e;
	}
}
function Ee(e = 1) {
	if (D) {
		for (var t = e, n = O; t--;) n = /* @__PURE__ */ an(n);
		O = n;
	}
}
function De(e = !0) {
	for (var t = 0, n = O;;) {
		if (n.nodeType === 8) {
			var r = n.data;
			if (r === "]") {
				if (t === 0) return n;
				--t;
			} else (r === "[" || r === "[!" || r[0] === "[" && !isNaN(Number(r.slice(1)))) && (t += 1);
		}
		var i = /* @__PURE__ */ an(n);
		e && n.remove(), n = i;
	}
}
function Oe(e) {
	if (!e || e.nodeType !== 8) throw be(), me;
	return e.data;
}
// node_modules/svelte/src/internal/client/reactivity/equality.js
function ke(e) {
	return e === this.v;
}
function Ae(e, t) {
	return e == e ? e !== t || typeof e == "object" && !!e || typeof e == "function" : t == t;
}
function je(e) {
	return !Ae(e, this.v);
}
// node_modules/svelte/src/internal/client/errors.js
function Me() {
	throw Error("https://svelte.dev/e/async_derived_orphan");
}
function Ne(e, t, n) {
	throw Error("https://svelte.dev/e/each_key_duplicate");
}
function Pe(e) {
	throw Error("https://svelte.dev/e/effect_in_teardown");
}
function Fe() {
	throw Error("https://svelte.dev/e/effect_in_unowned_derived");
}
function Ie(e) {
	throw Error("https://svelte.dev/e/effect_orphan");
}
function Le() {
	throw Error("https://svelte.dev/e/effect_update_depth_exceeded");
}
function Re(e) {
	throw Error("https://svelte.dev/e/props_invalid_value");
}
function ze() {
	throw Error("https://svelte.dev/e/state_descriptors_fixed");
}
function Be() {
	throw Error("https://svelte.dev/e/state_prototype_fixed");
}
function Ve() {
	throw Error("https://svelte.dev/e/state_unsafe_mutation");
}
function He() {
	throw Error("https://svelte.dev/e/svelte_boundary_reset_onerror");
}
// node_modules/svelte/src/internal/client/context.js
var Ue = null;
function We(e) {
	Ue = e;
}
function A(e, t = !1, n) {
	Ue = {
		p: Ue,
		i: !1,
		c: null,
		e: null,
		s: e,
		x: null,
		r: H,
		l: null
	};
}
function j(e) {
	var t = Ue, n = t.e;
	if (n !== null) {
		t.e = null;
		for (var r of n) vn(r);
	}
	return e !== void 0 && (t.x = e), t.i = !0, Ue = t.p, Ge(e);
}
function Ge(e = {}) {
	return i(e, ie, { value: !0 }), e;
}
function Ke() {
	return !0;
}
// node_modules/svelte/src/internal/client/dom/task.js
var qe = [];
function Je() {
	var e = qe;
	qe = [], f(e);
}
function Ye(e) {
	if (qe.length === 0 && !Ct) {
		var t = qe;
		queueMicrotask(() => {
			t === qe && Je();
		});
	}
	qe.push(e);
}
function Xe() {
	for (; qe.length > 0;) Je();
}
// node_modules/svelte/src/internal/client/reactivity/status.js
var Ze = ~(_ | v | g);
function Qe(e, t) {
	e.f = e.f & Ze | t;
}
function $e(e) {
	e.f & 512 || e.deps === null ? Qe(e, g) : Qe(e, v);
}
// node_modules/svelte/src/internal/client/reactivity/utils.js
function et(e, t) {
	e.f & 2048 ? t.set(e, _) : e.f & 4096 && t.get(e) !== 2048 && t.set(e, v), Qe(e, g);
}
// node_modules/svelte/src/internal/client/dom/elements/misc.js
function tt(e) {
	D && /* @__PURE__ */ rn(e) !== null && on(e);
}
var nt = !1;
function rt() {
	nt || (nt = !0, document.addEventListener("reset", (e) => {
		Promise.resolve().then(() => {
			if (!e.defaultPrevented) for (let t of e.target.elements) t[de]?.();
		});
	}, { capture: !0 }));
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/shared.js
function it(e) {
	var t = V, n = H;
	Vn(null), Hn(null);
	try {
		return e();
	} finally {
		Vn(t), Hn(n);
	}
}
function at(e, t, n, r = n) {
	e.addEventListener(t, () => it(n));
	let i = e[de];
	e[de] = i ? () => {
		i(), r(!0);
	} : () => r(!0), rt();
}
// node_modules/svelte/src/internal/client/reactivity/async.js
function ot(e, t, n, r) {
	let i = Ke() ? ut : pt;
	var a = e.filter((e) => !e.settled), o = t.map(i);
	if (n.length === 0 && a.length === 0) {
		r(o);
		return;
	}
	var s = H, c = st(), l = a.length === 1 ? a[0].promise : a.length > 1 ? Promise.all(a.map((e) => e.promise)) : null;
	function u(e) {
		if (!(s.f & 16384)) {
			c();
			try {
				r([...o, ...e]);
			} catch (e) {
				dn(e, s);
			}
			ct();
		}
	}
	var d = lt();
	if (n.length === 0) {
		l.then(() => u([])).finally(d);
		return;
	}
	function f() {
		Promise.all(n.map((e) => /* @__PURE__ */ ft(e))).then(u).catch((e) => dn(e, s)).finally(d);
	}
	l ? l.then(() => {
		s.f & 16384 ? d() : (c(), f(), ct());
	}) : f();
}
function st() {
	var e = H, t = V, n = Ue, r = N;
	return function(i = !0) {
		Hn(e), Vn(t), We(n), i && !(e.f & 16384) && (r?.activate(), r?.apply());
	};
}
function ct(e = !0) {
	Hn(null), Vn(null), We(null), e && N?.deactivate();
}
function lt() {
	var e = H, t = e.b, n = N, r = !!t?.is_rendered();
	return t?.update_pending_count(1, n), n.increment(r, e), () => {
		t?.update_pending_count(-1, n), n.decrement(r, e);
	};
}
/*#__NO_SIDE_EFFECTS__*/
function ut(e) {
	var t = 2 | _;
	return H !== null && (H.f |= w), {
		ctx: Ue,
		deps: null,
		effects: null,
		equals: ke,
		f: t,
		fn: e,
		reactions: null,
		rv: 0,
		v: he,
		wv: 0,
		parent: H,
		ac: null
	};
}
var dt = Symbol("obsolete");
/*#__NO_SIDE_EFFECTS__*/
function ft(e, t, n) {
	let r = H;
	r === null && Me();
	var i = void 0, a = Bt(he), o = !V, s = /* @__PURE__ */ new Set();
	return xn(() => {
		var t = H, n = p();
		i = n.promise;
		try {
			Promise.resolve(e()).then(n.resolve, (e) => {
				e !== fe && n.reject(e);
			}).finally(ct);
		} catch (e) {
			n.reject(e), ct();
		}
		var c = N;
		if (o) {
			if (t.f & 32768) var l = lt();
			if (r.b?.is_rendered()) c.async_deriveds.get(t)?.reject(dt);
			else for (let e of s.values()) e.reject(dt);
			s.add(n), c.async_deriveds.set(t, n);
		}
		let u = (e, t = void 0) => {
			l?.(), s.delete(n), t !== dt && (c.activate(), t ? (a.f |= ne, Wt(a, t)) : (a.f & 8388608 && (a.f ^= ne), Wt(a, e)), c.deactivate());
		};
		n.promise.then(u, (e) => u(null, e || "unknown"));
	}), gn(() => {
		for (let e of s) e.reject(dt);
	}), new Promise((e) => {
		function t(n) {
			function r() {
				n === i ? e(a) : t(i);
			}
			n.then(r, r);
		}
		t(i);
	});
}
/*#__NO_SIDE_EFFECTS__*/
function M(e) {
	let t = /* @__PURE__ */ ut(e);
	return Wn(t), t;
}
/*#__NO_SIDE_EFFECTS__*/
function pt(e) {
	let t = /* @__PURE__ */ ut(e);
	return t.equals = je, t;
}
function mt(e) {
	var t = e.effects;
	if (t !== null) {
		e.effects = null;
		for (var n = 0; n < t.length; n += 1) kn(t[n]);
	}
}
function ht(e) {
	var t, n = H, r = e.parent;
	if (!Rn && r !== null && e.v !== he && r.f & 24576) return ye(), e.v;
	Hn(r);
	try {
		mt(e), t = nr(e);
	} finally {
		Hn(n);
	}
	return t;
}
function gt(e) {
	var t = ht(e);
	!e.equals(t) && (e.wv = $n(), (!N?.is_fork || e.deps === null) && (N === null ? e.v = t : (N.capture(e, t, !0), bt?.capture(e, t, !0)), e.deps === null)) ? Qe(e, g) : Rn || (xt === null ? $e(e) : (hn() || N?.is_fork) && xt.set(e, t));
}
function _t(e) {
	if (e.effects !== null) for (let t of e.effects) (t.teardown || t.ac) && (t.teardown?.(), t.ac !== null && it(() => {
		t.ac.abort(fe), t.ac = null;
	}), t.fn !== null && (t.teardown = d), ar(t, 0), Dn(t));
}
function vt(e) {
	if (e.effects !== null) for (let t of e.effects) t.teardown && t.fn !== null && or(t);
}
// node_modules/svelte/src/internal/client/reactivity/batch.js
var yt = null, N = null, bt = null, xt = null, St = null, Ct = !1, wt = !1, Tt = null, Et = null, Dt = 0, Ot = 1, kt = class e {
	id = Ot++;
	started = !1;
	linked = !0;
	prev = null;
	next = null;
	async_deriveds = /* @__PURE__ */ new Map();
	current = /* @__PURE__ */ new Map();
	previous = /* @__PURE__ */ new Map();
	#e = /* @__PURE__ */ new Set();
	#t = /* @__PURE__ */ new Set();
	#n = 0;
	#r = /* @__PURE__ */ new Map();
	#i = null;
	#a = [];
	#o = [];
	#s = /* @__PURE__ */ new Map();
	#c = /* @__PURE__ */ new Map();
	#l = /* @__PURE__ */ new Set();
	is_fork = !1;
	#u = !1;
	constructor() {
		yt === null ? yt = this : (yt.next = this, this.prev = yt), yt = this;
	}
	#d() {
		if (this.is_fork) return !0;
		for (let e of this.#r.keys()) if (!this.#f(e)) return !0;
		return !1;
	}
	#f(e) {
		for (var t = e; t !== null; t = t.parent) if (this.#c.has(t)) return !0;
		return !1;
	}
	skip_effect(e) {
		this.#c.has(e) || this.#c.set(e, {
			d: [],
			m: []
		}), this.#l.delete(e);
	}
	unskip_effect(e, t = (e) => this.schedule(e)) {
		var n = this.#c.get(e);
		if (n) {
			this.#c.delete(e);
			for (var r of n.d) Qe(r, _), t(r);
			for (r of n.m) Qe(r, v), t(r);
		}
		this.#l.add(e);
	}
	#p() {
		var e = [];
		for (let i of this.#a) if (!(i.f & 16384 || !(i.f & 6144))) {
			for (var t = i, n = !1; t.parent !== null;) {
				t = t.parent;
				var r = t.f;
				if (r & 96) {
					if (!(r & 1024)) {
						n = !0;
						break;
					}
					t.f ^= g;
				}
			}
			n || e.push(t);
		}
		return this.#a = [], e;
	}
	#m() {
		this.started = !0;
		for (let [e, t] of this.#s) Qe(e, t), this.schedule(e);
		this.apply();
		for (var t = Tt = [], n = [], r = Et = []; this.#a.length > 0;) {
			Dt++ > 1e3 && (this.#b(), jt());
			for (let e of this.#p()) try {
				this.#h(e, t, n);
			} catch (t) {
				throw It(e), this.#d() || this.discard(), t;
			}
		}
		if (N = null, r.length > 0) {
			var i = e.ensure();
			for (let e of r) i.schedule(e);
		}
		if (Tt = null, Et = null, this.#d()) {
			this.#y(n), this.#y(t);
			for (let [e, t] of this.#c) Ft(e, t);
			r.length > 0 && N.#m();
			return;
		}
		let a = this.#g();
		if (a) this.#y(n), this.#y(t), a.#v(this);
		else {
			this.#s.clear();
			for (let e of this.#e) e(this);
			this.#e.clear(), bt = this, Nt(n), Nt(t), bt = null, this.#i?.resolve();
			var o = N;
			this.#n === 0 && (this.#a.length === 0 || o !== null) && this.#b(), o !== null && (Rt.clear(), o.#m());
		}
	}
	#h(e, t, n) {
		e.f ^= g;
		for (var r = e.first; r !== null;) {
			var i = r.f, a = !!(i & 96);
			if (!(a && i & 1024 || i & 8192 || this.#c.has(r)) && r.fn !== null) {
				a ? r.f ^= g : i & 4 ? t.push(r) : er(r) && (i & 16 && this.add_dirty_reaction(r, v), or(r));
				var o = r.first;
				if (o !== null) {
					r = o;
					continue;
				}
			}
			for (; r !== null;) {
				var s = r.next;
				if (s !== null) {
					r = s;
					break;
				}
				r = r.parent;
			}
		}
	}
	#g() {
		for (var e = this.prev; e !== null; e = e.prev) if (!e.is_fork && this.#_(e)) return e;
		return null;
	}
	#_(e) {
		for (let [t, [, n]] of this.current) if (!n && e.current.has(t)) return !0;
		return !1;
	}
	#v(e) {
		for (let [t, n] of e.current) !this.previous.has(t) && e.previous.has(t) && this.previous.set(t, e.previous.get(t)), this.current.set(t, n);
		for (let [t, n] of e.async_deriveds) {
			let e = this.async_deriveds.get(t);
			e && n.promise.then(e.resolve).catch(e.reject);
		}
		e.async_deriveds.clear(), this.transfer_reactions(e.#s);
		let t = (e) => {
			var n = e.reactions;
			if (n !== null && !(e.f & 2 && !(e.f & 6144))) for (let e of n) {
				var r = e.f;
				if (r & 2) t(e);
				else {
					var i = e;
					r & 4194320 && !this.async_deriveds.has(i) && (this.#s.delete(i), Qe(i, _), this.schedule(i));
				}
			}
		};
		for (let e of this.current.keys()) t(e);
		this.oncommit(() => e.discard()), e.#b(), N = this, this.#m();
	}
	#y(e) {
		for (var t = 0; t < e.length; t += 1) et(e[t], this.#s);
	}
	capture(e, t, n = !1) {
		e.v !== he && !this.previous.has(e) && this.previous.set(e, e.v), e.f & 8388608 || (this.current.set(e, [t, n]), xt?.set(e, t)), this.is_fork || (e.v = t);
	}
	activate() {
		N = this;
	}
	deactivate() {
		N = null, xt = null;
	}
	flush() {
		try {
			wt = !0, N = this, this.#m();
		} finally {
			Dt = 0, St = null, Tt = null, Et = null, wt = !1, N = null, xt = null, Rt.clear();
		}
	}
	discard() {
		for (let e of this.#t) e(this);
		this.#t.clear();
		for (let e of this.async_deriveds.values()) e.reject(dt);
		this.#b(), this.#i?.resolve();
	}
	register_created_effect(e) {
		this.#o.push(e);
	}
	increment(e, t) {
		if (this.#n += 1, e) {
			let e = this.#r.get(t) ?? 0;
			this.#r.set(t, e + 1);
		}
	}
	decrement(e, t) {
		if (--this.#n, e) {
			let e = this.#r.get(t) ?? 0;
			e === 1 ? this.#r.delete(t) : this.#r.set(t, e - 1);
		}
		this.#u || (this.#u = !0, Ye(() => {
			this.#u = !1, this.linked && this.flush();
		}));
	}
	transfer_reactions(e) {
		for (let [t, n] of e) this.add_dirty_reaction(t, n);
		e.clear();
	}
	add_dirty_reaction(e, t) {
		(t === 2048 || this.#s.get(e) !== 2048) && this.#s.set(e, t);
	}
	oncommit(e) {
		this.#e.add(e);
	}
	ondiscard(e) {
		this.#t.add(e);
	}
	settled() {
		return (this.#i ??= p()).promise;
	}
	static ensure() {
		if (N === null) {
			let t = N = new e();
			!wt && !Ct && Ye(() => {
				t.started || t.flush();
			});
		}
		return N;
	}
	apply() {
		xt = null;
	}
	schedule(e) {
		St = e, e.b?.is_pending && e.f & 16777228 && !(e.f & 32768) ? e.b.defer_effect(e) : this.#a.push(e);
	}
	#b() {
		if (this.linked) {
			var e = this.prev, t = this.next;
			e === null || (e.next = t), t === null ? yt = e : t.prev = e, this.linked = !1;
		}
	}
};
function At(e) {
	var t = Ct, n = bt;
	bt = null, Ct = !0;
	try {
		var r;
		for (e && (At(), r = e());;) {
			if (Xe(), N === null) return r;
			N.flush();
		}
	} finally {
		Ct = t, bt = n;
	}
}
function jt() {
	try {
		Le();
	} catch (e) {
		dn(e, St);
	}
}
var Mt = null;
function Nt(e) {
	var t = e.length;
	if (t !== 0) {
		for (var n = 0; n < t;) {
			var r = e[n++];
			if (!(r.f & 24576) && er(r) && (Mt = /* @__PURE__ */ new Set(), or(r), r.deps === null && r.first === null && r.nodes === null && r.teardown === null && r.ac === null && jn(r), Mt?.size > 0)) {
				Rt.clear();
				for (let e of Mt) {
					if (e.f & 24576) continue;
					let t = [e], n = e.parent;
					for (; n !== null;) Mt.has(n) && (Mt.delete(n), t.push(n)), n = n.parent;
					for (let e = t.length - 1; e >= 0; e--) {
						let n = t[e];
						n.f & 24576 || or(n);
					}
				}
				Mt.clear();
			}
		}
		Mt = null;
	}
}
function Pt(e) {
	N.schedule(e);
}
function Ft(e, t) {
	if (!(e.f & 32 && e.f & 1024)) {
		e.f & 2048 ? t.d.push(e) : e.f & 4096 && t.m.push(e), Qe(e, g);
		for (var n = e.first; n !== null;) Ft(n, t), n = n.next;
	}
}
function It(e) {
	Qe(e, g);
	for (var t = e.first; t !== null;) It(t), t = t.next;
}
// node_modules/svelte/src/internal/client/reactivity/sources.js
var Lt = /* @__PURE__ */ new Set(), Rt = /* @__PURE__ */ new Map(), zt = !1;
function Bt(e, t) {
	return {
		f: 0,
		v: e,
		reactions: null,
		equals: ke,
		rv: 0,
		wv: 0
	};
}
/*#__NO_SIDE_EFFECTS__*/
function P(e, t) {
	let n = Bt(e, t);
	return Wn(n), n;
}
/*#__NO_SIDE_EFFECTS__*/
function Vt(e, t = !1, n = !0) {
	let r = Bt(e);
	return t || (r.equals = je), r;
}
function F(e, t, n = !1) {
	return V !== null && (!Bn || V.f & 131072) && Ke() && V.f & 4325394 && (Un === null || !Un.has(e)) && Ve(), Wt(e, n ? Jt(t) : t, Et);
}
var Ht = null, Ut = 0;
function Wt(e, t, n = null) {
	if (!e.equals(t)) {
		Rn ? Rt.set(e, t) : Rt.has(e) || Rt.set(e, e.v);
		var r = kt.ensure();
		if (r.capture(e, t), e.f & 2) {
			let t = e;
			e.f & 2048 && ht(t), xt === null && $e(t);
		}
		e.wv = $n(), Ht = null, Ut = 0, qt(e, _, n), Ht = null, Ke() && H !== null && H.f & 1024 && !(H.f & 96) && (qn === null ? Jn([e]) : qn.push(e)), !r.is_fork && Lt.size > 0 && !zt && Gt();
	}
	return t;
}
function Gt() {
	zt = !1;
	for (let e of Lt) {
		e.f & 1024 && Qe(e, v);
		let t;
		try {
			t = er(e);
		} catch {
			t = !0;
		}
		t && or(e);
	}
	Lt.clear();
}
function Kt(e) {
	F(e, e.v + 1);
}
function qt(e, t, n) {
	var r = e.reactions;
	if (r !== null) {
		var i = Ke(), a = r.length;
		if (Ut += a, Ut > 1e5 && Ht === null && (Ht = /* @__PURE__ */ new Set()), Ht !== null) {
			if (Ht.has(e)) return;
			Ht.add(e);
		}
		for (var o = 0; o < a; o++) {
			var s = r[o], c = s.f;
			if (i || s !== H) {
				var l = (c & _) === 0;
				if (l && Qe(s, t), c & 131072) Lt.add(s);
				else if (c & 2) {
					var u = s;
					xt?.delete(u), qt(u, v, n);
				} else if (l) {
					var d = s;
					c & 16 && Mt !== null && Mt.add(d), n === null ? Pt(d) : n.push(d);
				}
			}
		}
	}
}
function Jt(t) {
	if (typeof t != "object" || !t || re in t || ie in t) return t;
	let n = l(t);
	if (n !== s && n !== c) return t;
	var r = /* @__PURE__ */ new Map(), i = e(t), o = /* @__PURE__ */ P(0), u = null, d = Zn, f = (e) => {
		if (Zn === d) return e();
		var t = V, n = Zn;
		Vn(null), Qn(d);
		var r = e();
		return Vn(t), Qn(n), r;
	};
	return i && r.set("length", /* @__PURE__ */ P(t.length, u)), new Proxy(t, {
		defineProperty(e, t, n) {
			"value" in n && n.configurable !== !1 && n.enumerable !== !1 && n.writable !== !1 || ze();
			var i = r.get(t);
			return i === void 0 ? f(() => {
				var e = /* @__PURE__ */ P(n.value, u);
				return r.set(t, e), e;
			}) : F(i, n.value, !0), !0;
		},
		deleteProperty(e, t) {
			var n = r.get(t);
			if (n === void 0) {
				if (t in e) {
					let e = f(() => /* @__PURE__ */ P(he, u));
					r.set(t, e), Kt(o);
				}
			} else F(n, he), Kt(o);
			return !0;
		},
		get(e, n, i) {
			if (n === re) return t;
			var o = r.get(n), s = n in e;
			if (o === void 0 && (!s || a(e, n)?.writable) && (o = f(() => /* @__PURE__ */ P(Jt(s ? e[n] : he), u)), r.set(n, o)), o !== void 0) {
				var c = U(o);
				return c === he ? void 0 : c;
			}
			return Reflect.get(e, n, i);
		},
		getOwnPropertyDescriptor(e, t) {
			this.has?.(e, t);
			var n = Reflect.getOwnPropertyDescriptor(e, t), i = r.get(t);
			if (i !== void 0) {
				var a = U(i);
				if (a === he) return;
				if (n && "value" in n) n.value = a;
				else return {
					enumerable: !0,
					configurable: !0,
					value: a,
					writable: !0
				};
			}
			return n;
		},
		has(e, t) {
			if (t === re) return !0;
			var n = r.get(t), i = n !== void 0 && n.v !== he || Reflect.has(e, t);
			return (n !== void 0 || (H !== null || V !== null) && (!i || a(e, t)?.writable)) && (n === void 0 && (n = f(() => /* @__PURE__ */ P(i ? Jt(e[t]) : he, u)), r.set(t, n)), U(n) === he) ? !1 : i;
		},
		set(e, t, n, s) {
			var c = r.get(t), l = t in e;
			if (i && t === "length") for (var d = n; d < c.v; d += 1) {
				var p = r.get(d + "");
				p === void 0 ? d in e && (p = f(() => /* @__PURE__ */ P(he, u)), r.set(d + "", p)) : F(p, he);
			}
			if (c === void 0) (!l || a(e, t)?.writable) && (c = f(() => /* @__PURE__ */ P(void 0, u)), F(c, Jt(n)), r.set(t, c));
			else {
				l = c.v !== he;
				var m = f(() => Jt(n));
				F(c, m);
			}
			var h = Reflect.getOwnPropertyDescriptor(e, t);
			if (h?.set && h.set.call(s, n), !l) {
				if (i && typeof t == "string") {
					var g = r.get("length"), _ = Number(t);
					Number.isInteger(_) && _ >= g.v && F(g, _ + 1);
				}
				Kt(o);
			}
			return !0;
		},
		ownKeys(e) {
			U(o);
			var t = Reflect.ownKeys(e).filter((e) => {
				var t = r.get(e);
				return t === void 0 || t.v !== he;
			});
			for (var [n, i] of r) i.v !== he && !(n in e) && t.push(n);
			return t;
		},
		setPrototypeOf() {
			Be();
		}
	});
}
function Yt(e) {
	try {
		if (typeof e == "object" && e && re in e) return e[re];
	} catch {}
	return e;
}
function Xt(e, t) {
	return Object.is(Yt(e), Yt(t));
}
var Zt, Qt, $t, en;
function tn() {
	if (Zt === void 0) {
		Zt = window, Qt = /Firefox/.test(navigator.userAgent);
		var e = Element.prototype, t = Node.prototype, n = Text.prototype;
		$t = a(t, "firstChild").get, en = a(t, "nextSibling").get, u(e) && (e[ce] = void 0, e[se] = null, e[le] = void 0, e.__e = void 0), u(n) && (n[ue] = void 0);
	}
}
function nn(e = "") {
	return document.createTextNode(e);
}
/*@__NO_SIDE_EFFECTS__*/
function rn(e) {
	return $t.call(e);
}
/*@__NO_SIDE_EFFECTS__*/
function an(e) {
	return en.call(e);
}
function I(e, t) {
	if (!D) return /* @__PURE__ */ rn(e);
	var n = /* @__PURE__ */ rn(O);
	if (n === null) n = O.appendChild(nn());
	else if (t && n.nodeType !== 3) {
		var r = nn();
		return n?.before(r), we(r), r;
	}
	return t && ln(n), we(n), n;
}
function L(e, t = !1) {
	if (!D) {
		var n = /* @__PURE__ */ rn(e);
		return n instanceof Comment && n.data === "" ? /* @__PURE__ */ an(n) : n;
	}
	if (t) {
		if (O?.nodeType !== 3) {
			var r = nn();
			return O?.before(r), we(r), r;
		}
		ln(O);
	}
	return O;
}
function R(e, t = !1) {
	if (!D) return /* @__PURE__ */ rn(e);
	var n = I(e, t);
	return k(e), n;
}
function z(e, t = 1, n = !1) {
	let r = D ? O : e;
	for (var i; t--;) i = r, r = /* @__PURE__ */ an(r);
	if (!D) return r;
	if (n) {
		if (r?.nodeType !== 3) {
			var a = nn();
			return r === null ? i?.after(a) : r.before(a), we(a), a;
		}
		ln(r);
	}
	return we(r), r;
}
function on(e) {
	e.textContent = "";
}
function sn() {
	return !1;
}
function cn(e, t, n) {
	return t == null || t === "http://www.w3.org/1999/xhtml" ? n ? document.createElement(e, { is: n }) : document.createElement(e) : n ? document.createElementNS(t, e, { is: n }) : document.createElementNS(t, e);
}
function ln(e) {
	if (e.nodeValue.length < 65536) return;
	let t = e.nextSibling;
	for (; t !== null && t.nodeType === 3;) t.remove(), e.nodeValue += t.nodeValue, t = e.nextSibling;
}
function un(e) {
	var t = H;
	if (t === null) return V.f |= ne, e;
	if (!(t.f & 32768) && !(t.f & 4)) throw e;
	dn(e, t);
}
function dn(e, t) {
	if (e === me) throw e;
	if (!(t !== null && t.f & 16384)) {
		for (; t !== null;) {
			if (t.f & 128 && !(t.f & 33570816)) {
				if (!(t.f & 32768)) throw e;
				try {
					t.b.error(e);
					return;
				} catch (t) {
					e = t;
				}
			}
			t = t.parent;
		}
		throw e;
	}
}
// node_modules/svelte/src/internal/client/reactivity/effects.js
function fn(e) {
	H === null && (V === null && Ie(e), Fe()), Rn && Pe(e);
}
function pn(e, t) {
	var n = t.last;
	n === null ? t.last = t.first = e : (n.next = e, e.prev = n, t.last = e);
}
function mn(e, t) {
	var n = H;
	n !== null && n.f & 8192 && (e |= y);
	var r = {
		ctx: Ue,
		deps: null,
		nodes: null,
		f: e | _ | 512,
		first: null,
		fn: t,
		last: null,
		next: null,
		parent: n,
		b: n && n.b,
		prev: null,
		teardown: null,
		wv: 0,
		ac: null
	};
	N?.register_created_effect(r);
	var i = r;
	if (e & 4) Tt === null ? kt.ensure().schedule(r) : Tt.push(r);
	else if (t !== null) {
		try {
			or(r);
		} catch (e) {
			throw kn(r), e;
		}
		i.deps === null && i.teardown === null && i.nodes === null && i.first === i.last && !(i.f & 524288) && (i = i.first, e & 16 && e & 65536 && i !== null && (i.f |= C));
	}
	if (i !== null && (i.parent = n, n !== null && pn(i, n), V !== null && V.f & 2 && !(e & 64))) {
		var a = V;
		(a.effects ??= []).push(i);
	}
	return r;
}
function hn() {
	return V !== null && !Bn;
}
function gn(e) {
	let t = mn(8, null);
	return Qe(t, g), t.teardown = e, t;
}
function _n(e) {
	fn("$effect");
	var t = H.f;
	if (!V && t & 32 && Ue !== null && !Ue.i) {
		var n = Ue;
		(n.e ??= []).push(e);
	} else return vn(e);
}
function vn(e) {
	return mn(4 | T, e);
}
function yn(e) {
	kt.ensure();
	let t = mn(64 | w, e);
	return (e = {}) => new Promise((n) => {
		e.outro ? Mn(t, () => {
			kn(t), n(void 0);
		}) : (kn(t), n(void 0));
	});
}
function bn(e) {
	return mn(4, e);
}
function xn(e) {
	return mn(te | w, e);
}
function Sn(e, t = 0) {
	return mn(8 | t, e);
}
function B(e, t = [], n = [], r = []) {
	ot(r, t, n, (t) => {
		mn(8, () => {
			e(...t.map(U));
		});
	});
}
function Cn(e, t = 0) {
	return mn(16 | t, e);
}
function wn(e, t = 0) {
	return mn(h | t, e);
}
function Tn(e) {
	return mn(32 | w, e);
}
function En(e) {
	var t = e.teardown;
	if (t !== null) {
		let n = Rn, r = V;
		zn(!0), Vn(null);
		try {
			t.call(null);
		} catch (t) {
			dn(t, e.parent);
		} finally {
			zn(n), Vn(r);
		}
	}
}
function Dn(e, t = !1) {
	var n = e.first;
	for (e.first = e.last = null; n !== null;) {
		let e = n.ac;
		e !== null && it(() => {
			e.abort(fe);
		});
		var r = n.next;
		n.f & 64 ? n.parent = null : kn(n, t), n = r;
	}
}
function On(e) {
	for (var t = e.first; t !== null;) {
		var n = t.next;
		t.f & 32 || kn(t), t = n;
	}
}
function kn(e, t = !0) {
	var n = !1;
	(t || e.f & 262144) && e.nodes !== null && e.nodes.end !== null && (An(e.nodes.start, e.nodes.end), n = !0), e.f |= S, Dn(e, t && !n), ar(e, 0);
	var r = e.nodes && e.nodes.t;
	if (r !== null) for (let e of r) e.stop();
	En(e), e.f ^= S, e.f |= b;
	var i = e.parent;
	i !== null && i.first !== null && jn(e), e.next = e.prev = e.teardown = e.ctx = e.deps = e.fn = e.nodes = e.ac = e.b = null;
}
function An(e, t) {
	for (; e !== null;) {
		var n = e === t ? null : /* @__PURE__ */ an(e);
		e.remove(), e = n;
	}
}
function jn(e) {
	var t = e.parent, n = e.prev, r = e.next;
	n !== null && (n.next = r), r !== null && (r.prev = n), t !== null && (t.first === e && (t.first = r), t.last === e && (t.last = n));
}
function Mn(e, t, n = !0) {
	var r = [];
	e.f |= 256, Nn(e, r, !0);
	var i = () => {
		n && kn(e), t && t();
	}, a = r.length;
	if (a > 0) {
		var o = () => --a || i();
		for (var s of r) s.out(o);
	} else i();
}
function Nn(e, t, n) {
	if (!(e.f & 8192)) {
		e.f ^= y;
		var r = e.nodes && e.nodes.t;
		if (r !== null) for (let e of r) (e.is_global || n) && t.push(e);
		for (var i = e.first; i !== null;) {
			var a = i.next;
			if (!(i.f & 64)) {
				var o = !!(i.f & 65536) || !!(i.f & 32) && !!(e.f & 16);
				Nn(i, t, o ? n : !1);
			}
			i = a;
		}
	}
}
function Pn(e) {
	e.f &= -257, Fn(e, !0);
}
function Fn(e, t) {
	if (!(e.f & 256) && e.f & 8192) {
		e.f ^= y, e.f & 1024 || (Qe(e, _), kt.ensure().schedule(e));
		for (var n = e.first; n !== null;) {
			var r = n.next, i = !!(n.f & 65536) || !!(n.f & 32);
			Fn(n, i ? t : !1), n = r;
		}
		var a = e.nodes && e.nodes.t;
		if (a !== null) for (let e of a) (e.is_global || t) && e.in();
	}
}
function In(e, t) {
	if (e.nodes) for (var n = e.nodes.start, r = e.nodes.end; n !== null;) {
		var i = n === r ? null : /* @__PURE__ */ an(n);
		t.append(n), n = i;
	}
}
// node_modules/svelte/src/internal/client/legacy.js
var Ln = null, Rn = !1;
function zn(e) {
	Rn = e;
}
var V = null, Bn = !1;
function Vn(e) {
	V = e;
}
var H = null;
function Hn(e) {
	H = e;
}
var Un = null;
function Wn(e) {
	V !== null && (V.f & 2097152 || V.f & 2) && (Un ??= /* @__PURE__ */ new Set()).add(e);
}
var Gn = null, Kn = 0, qn = null;
function Jn(e) {
	qn = e;
}
var Yn = 1, Xn = 0, Zn = Xn;
function Qn(e) {
	Zn = e;
}
function $n() {
	return ++Yn;
}
function er(e) {
	var t = e.f;
	if (t & 2048) return !0;
	if (t & 4096) {
		for (var n = e.deps, r = n.length, i = 0; i < r; i++) {
			var a = n[i];
			if (er(a) && gt(a), a.wv > e.wv) return !0;
		}
		t & 512 && xt === null && Qe(e, g);
	}
	return !1;
}
function tr(e, t, n = !0) {
	var r = e.reactions;
	if (r !== null && !(Un !== null && Un.has(e))) for (var i = 0; i < r.length; i++) {
		var a = r[i];
		a.f & 2 ? tr(a, t, !1) : t === a && (n ? Qe(a, _) : a.f & 1024 && Qe(a, v), Pt(a));
	}
}
function nr(e) {
	var t = Gn, n = Kn, r = qn, i = V, a = Un, o = Ue, s = Bn, c = Zn, l = e.f;
	Gn = null, Kn = 0, qn = null, V = l & 96 ? null : e, Un = null, We(e.ctx), Bn = !1, Zn = ++Xn, e.ac !== null && (it(() => {
		e.ac.abort(fe);
	}), e.ac = null);
	try {
		e.f |= ee;
		var u = e.fn, d = u();
		e.f |= x;
		var f = rr(e);
		if (Ke() && qn !== null && !Bn && f !== null && !(e.f & 6146)) for (var p = 0; p < qn.length; p++) tr(qn[p], e);
		if (i !== null && i !== e) {
			if (Xn++, i.deps !== null) for (let e = 0; e < n; e += 1) i.deps[e].rv = Xn;
			if (t !== null) for (let e of t) e.rv = Xn;
			qn !== null && (r === null ? r = qn : r.push(...qn));
		}
		return e.f & 8388608 && (e.f ^= ne), d;
	} catch (t) {
		return rr(e), un(t);
	} finally {
		e.f ^= ee, Gn = t, Kn = n, qn = r, V = i, Un = a, We(o), Bn = s, Zn = c;
	}
}
function rr(e) {
	var t = e.deps, n = N?.is_fork;
	if (Gn !== null) {
		var r;
		if (n || ar(e, Kn), t !== null && Kn > 0) for (t.length = Kn + Gn.length, r = 0; r < Gn.length; r++) t[Kn + r] = Gn[r];
		else e.deps = t = Gn;
		if (hn() && e.f & 512) for (r = Kn; r < t.length; r++) (t[r].reactions ??= []).push(e);
	} else !n && t !== null && Kn < t.length && (ar(e, Kn), t.length = Kn);
	return t;
}
function ir(e, r) {
	let i = r.reactions;
	if (i !== null) {
		var a = t.call(i, e);
		if (a !== -1) {
			var o = i.length - 1;
			o === 0 ? i = r.reactions = null : (i[a] = i[o], i.pop());
		}
	}
	if (i === null && r.f & 2 && (Gn === null || !n.call(Gn, r))) {
		var s = r;
		s.f & 512 && (s.f ^= 512), s.v !== he && $e(s), s.ac !== null && it(() => {
			s.ac.abort(fe), s.ac = null, Qe(s, _);
		}), _t(s), ar(s, 0);
	}
}
function ar(e, t) {
	var n = e.deps;
	if (n !== null) for (var r = t; r < n.length; r++) ir(e, n[r]);
}
function or(e) {
	var t = e.f;
	if (!(t & 16384)) {
		Qe(e, g);
		var n = H;
		H = e;
		try {
			t & 16777232 ? On(e) : Dn(e), En(e);
			var r = nr(e);
			e.teardown = typeof r == "function" ? r : null, e.wv = Yn;
		} finally {
			H = n;
		}
	}
}
async function sr() {
	await Promise.resolve(), At();
}
function U(e) {
	var t = !!(e.f & 2);
	if (Ln?.add(e), V !== null && !Bn && !(H !== null && H.f & 16384) && (Un === null || !Un.has(e))) {
		var r = V.deps;
		if (V.f & 2097152) e.rv < Xn && (e.rv = Xn, Gn === null && r !== null && r[Kn] === e ? Kn++ : Gn === null ? Gn = [e] : Gn.push(e));
		else {
			V.deps ??= [], n.call(V.deps, e) || V.deps.push(e);
			var i = e.reactions;
			i === null ? e.reactions = [V] : n.call(i, V) || i.push(V);
		}
	}
	if (Rn && Rt.has(e)) return Rt.get(e);
	if (t) {
		var a = e;
		if (Rn) {
			var o = a.v;
			return (!(a.f & 1024) && a.reactions !== null || lr(a)) && (o = ht(a)), Rt.set(a, o), o;
		}
		var s = !(a.f & 512) && !Bn && V !== null && !!(V.f & 512), c = (a.f & x) === 0;
		er(a) && (s && (a.f |= 512), gt(a)), s && !c && (vt(a), cr(a));
	}
	if (xt?.has(e)) return xt.get(e);
	if (e.f & 8388608) throw e.v;
	return e.v;
}
function cr(e) {
	if (e.f |= 512, e.deps !== null) for (let r of e.deps) {
		var t = r.reactions;
		t === null ? r.reactions = [e] : n.call(t, e) || t.push(e), r.f & 2 && !(r.f & 512) && (vt(r), cr(r));
	}
}
function lr(e) {
	if (e.v === he) return !0;
	if (e.deps === null) return !1;
	for (let t of e.deps) if (Rt.has(t) || t.f & 2 && lr(t)) return !0;
	return !1;
}
function ur(e) {
	var t = Bn;
	try {
		return Bn = !0, e();
	} finally {
		Bn = t;
	}
}
[.../* @__PURE__ */ "allowfullscreen.async.autofocus.autoplay.checked.controls.default.disabled.formnovalidate.indeterminate.inert.ismap.loop.multiple.muted.nomodule.novalidate.open.playsinline.readonly.required.reversed.seamless.selected.webkitdirectory.defer.disablepictureinpicture.disableremoteplayback".split(".")];
var dr = ["touchstart", "touchmove"];
function fr(e) {
	return dr.includes(e);
}
// node_modules/svelte/src/internal/client/dom/elements/events.js
var pr = Symbol("events"), mr = /* @__PURE__ */ new Set(), hr = /* @__PURE__ */ new Set();
function gr(e, t, n, r = {}) {
	function i(e) {
		if (r.capture || br.call(t, e), !e.cancelBubble) return it(() => n?.call(this, e));
	}
	return e.startsWith("pointer") || e.startsWith("touch") || e === "wheel" ? (i.__removed = !1, Ye(() => {
		i.__removed || t.addEventListener(e, i, r);
	})) : t.addEventListener(e, i, r), i;
}
function _r(e, t, n, r, i) {
	var a = {
		capture: r,
		passive: i
	}, o = gr(e, t, n, a);
	(t === document.body || t === window || t === document || t instanceof HTMLMediaElement) && gn(() => {
		o.__removed = !0, t.removeEventListener(e, o, a);
	});
}
function W(e, t, n) {
	(t[pr] ??= {})[e] = n;
}
function G(e) {
	for (var t = 0; t < e.length; t++) mr.add(e[t]);
	for (var n of hr) n(e);
}
var vr = null, yr = !1;
function br(e) {
	var t = this, n = t.ownerDocument, r = e.type, a = e.composedPath?.() || [], o = a[0] || e.target;
	vr = e, yr || (yr = !0, setTimeout(() => {
		yr = !1, vr = null;
	}));
	var s = 0, c = vr === e && e[pr];
	if (c) {
		var l = a.indexOf(c);
		if (l !== -1 && (t === document || t === window)) {
			e[pr] = t;
			return;
		}
		var u = a.indexOf(t);
		if (u === -1) return;
		l <= u && (s = l);
	}
	if (o = a[s] || e.target, o !== t) {
		i(e, "currentTarget", {
			configurable: !0,
			get() {
				return o || n;
			}
		});
		var d = V, f = H;
		Vn(null), Hn(null);
		try {
			for (var p, m = []; o !== null && o !== t;) {
				try {
					var h = o[pr]?.[r];
					h == null || o.disabled && e.target !== o || h.call(o, e);
				} catch (e) {
					p ? m.push(e) : p = e;
				}
				if (e.cancelBubble) break;
				s++, o = s < a.length ? a[s] : null;
			}
			if (p) {
				for (let e of m) queueMicrotask(() => {
					throw e;
				});
				throw p;
			}
		} finally {
			e[pr] = t, delete e.currentTarget, Vn(d), Hn(f);
		}
	}
}
// node_modules/svelte/src/internal/client/dom/reconciler.js
var xr = globalThis?.window?.trustedTypes && /* @__PURE__ */ globalThis.window.trustedTypes.createPolicy("svelte-trusted-html", { createHTML: (e) => e });
function Sr(e) {
	return xr?.createHTML(e) ?? e;
}
function Cr(e) {
	var t = cn("template");
	return t.innerHTML = Sr(e.replaceAll("<!>", "<!---->")), t.content;
}
// node_modules/svelte/src/internal/client/dom/template.js
function wr(e, t) {
	var n = H;
	n.nodes === null && (n.nodes = {
		start: e,
		end: t,
		a: null,
		t: null
	});
}
/*#__NO_SIDE_EFFECTS__*/
function K(e, t) {
	var n = !!(t & 1), r = !!(t & 2), i, a = !e.startsWith("<!>");
	return () => {
		if (D) return wr(O, null), O;
		i === void 0 && (i = Cr(a ? e : "<!>" + e), n || (i = /* @__PURE__ */ rn(i)));
		var t = r || Qt ? document.importNode(i, !0) : i.cloneNode(!0);
		if (n) {
			var o = /* @__PURE__ */ rn(t), s = t.lastChild;
			wr(o, s);
		} else wr(t, t);
		return t;
	};
}
/*#__NO_SIDE_EFFECTS__*/
function Tr(e, t, n = "svg") {
	var r = !e.startsWith("<!>"), i = !!(t & 1), a = `<${n}>${r ? e : "<!>" + e}</${n}>`, o;
	return () => {
		if (D) return wr(O, null), O;
		if (!o) {
			var e = /* @__PURE__ */ rn(Cr(a));
			if (i) for (o = document.createDocumentFragment(); /* @__PURE__ */ rn(e);) o.appendChild(/* @__PURE__ */ rn(e));
			else o = /* @__PURE__ */ rn(e);
		}
		var t = o.cloneNode(!0);
		if (i) {
			var n = /* @__PURE__ */ rn(t), r = t.lastChild;
			wr(n, r);
		} else wr(t, t);
		return t;
	};
}
/*#__NO_SIDE_EFFECTS__*/
function Er(e, t) {
	return /* @__PURE__ */ Tr(e, t, "svg");
}
function Dr(e = "") {
	if (!D) {
		var t = nn(e + "");
		return wr(t, t), t;
	}
	var n = O;
	return n.nodeType === 3 ? ln(n) : (n.before(n = nn()), we(n)), wr(n, n), n;
}
function Or() {
	if (D) return wr(O, null), O;
	var e = document.createDocumentFragment(), t = document.createComment(""), n = nn();
	return e.append(t, n), wr(t, n), e;
}
function q(e, t) {
	if (D) {
		var n = H;
		n.f & 32768 && n.nodes.end !== null || (n.nodes.end = O), Te();
	} else e !== null && e.before(t);
}
// node_modules/svelte/src/reactivity/create-subscriber.js
function kr(e) {
	let t = 0, n = Bt(0), r;
	return () => {
		hn() && (U(n), Sn(() => (t === 0 && (r = ur(() => e(() => Kt(n)))), t += 1, () => {
			Ye(() => {
				--t, t === 0 && (r?.(), r = void 0, Kt(n));
			});
		})));
	};
}
// node_modules/svelte/src/internal/client/dom/blocks/boundary.js
var Ar = C | w;
function jr(e, t, n, r) {
	new Mr(e, t, n, r);
}
var Mr = class {
	parent;
	is_pending = !1;
	transform_error;
	#e;
	#t = D ? O : null;
	#n;
	#r;
	#i;
	#a = null;
	#o = null;
	#s = null;
	#c = null;
	#l = 0;
	#u = 0;
	#d = !1;
	#f = /* @__PURE__ */ new Map();
	#p = null;
	#m = kr(() => (this.#p = Bt(this.#l), () => {
		this.#p = null;
	}));
	constructor(e, t, n, r) {
		this.#e = e, this.#n = t, this.#r = (e) => {
			var t = H;
			t.b = this, t.f |= 128, n(e);
		}, this.parent = H.b, this.transform_error = r ?? this.parent?.transform_error ?? ((e) => e), this.#i = Cn(() => {
			if (D) {
				let e = Oe(this.#t);
				Te();
				let t = e === "[!";
				if (e.startsWith("[?")) {
					let t = JSON.parse(e.slice(2));
					this.#g(t);
				} else t ? this.#y() : this.#h();
			} else this.#b();
		}, Ar), D && (this.#e = O);
	}
	#h() {
		try {
			this.#a = Tn(() => this.#r(this.#e));
		} catch (e) {
			this.error(e);
		}
	}
	#g(e) {
		let t = this.#n.failed, { reset: n, invoke_onerror: r } = this.#_(e);
		Ye(r), t && (this.#s = Tn(() => {
			t(this.#e, () => e, () => n);
		}));
	}
	#_(e) {
		var t = !1, n = !1;
		let r = () => {
			this.#v() || (t ? Se() : (t = !0, n && He(), this.#s !== null && Mn(this.#s, () => {
				this.#s = null;
			}), this.#S(() => {
				this.#b();
			})));
		};
		return {
			reset: r,
			invoke_onerror: () => {
				if (!this.#v()) try {
					n = !0, this.#n.onerror?.(e, r), n = !1;
				} catch (e) {
					dn(e, this.#i && this.#i.parent);
				}
			}
		};
	}
	#v() {
		return (this.#i.f & (b | S)) !== 0;
	}
	#y() {
		let e = this.#n.pending;
		e && (this.is_pending = !0, this.#o = Tn(() => e(this.#e)), Ye(() => {
			if (!this.#v()) {
				var e = this.#c = document.createDocumentFragment(), t = nn(), n = !1;
				e.append(t), this.#a = this.#S(() => {
					try {
						return Tn(() => this.#r(t));
					} catch (e) {
						try {
							this.error(e), n = !0;
						} catch (e) {
							dn(e, this.#i.parent);
						}
						return null;
					}
				}), this.#a === null ? (this.#c = null, n && this.#x(N)) : this.#u === 0 && (this.#e.before(e), this.#c = null, Mn(this.#o, () => {
					this.#o = null;
				}), this.#x(N));
			}
		}));
	}
	#b() {
		try {
			if (this.is_pending = this.has_pending_snippet(), this.#u = 0, this.#l = 0, this.#a = Tn(() => {
				this.#r(this.#e);
			}), this.#u > 0) {
				var e = this.#c = document.createDocumentFragment();
				In(this.#a, e);
				let t = this.#n.pending;
				this.#o = Tn(() => t(this.#e));
			} else this.#x(N);
		} catch (e) {
			this.error(e);
		}
	}
	#x(e) {
		this.is_pending = !1, e.transfer_reactions(this.#f);
	}
	defer_effect(e) {
		et(e, this.#f);
	}
	is_rendered() {
		return !this.is_pending && (!this.parent || this.parent.is_rendered());
	}
	has_pending_snippet() {
		return !!this.#n.pending;
	}
	#S(e) {
		var t = H, n = V, r = Ue;
		Hn(this.#i), Vn(this.#i), We(this.#i.ctx);
		try {
			return kt.ensure(), e();
		} finally {
			Hn(t), Vn(n), We(r);
		}
	}
	#C(e, t) {
		this.has_pending_snippet() ? (this.#u += e, this.#u === 0 && (this.#x(t), this.#o && Mn(this.#o, () => {
			this.#o = null;
		}), this.#c &&= (this.#e.before(this.#c), null))) : this.parent && this.parent.#C(e, t);
	}
	update_pending_count(e, t) {
		this.#C(e, t), this.#l += e, !this.#p || this.#d || (this.#d = !0, Ye(() => {
			this.#d = !1, this.#p && Wt(this.#p, this.#l);
		}));
	}
	get_effect_pending() {
		return this.#m(), U(this.#p);
	}
	error(e) {
		if (e === me || !this.#n.onerror && !this.#n.failed) throw e;
		N?.is_fork ? (this.#a && N.skip_effect(this.#a), this.#o && N.skip_effect(this.#o), this.#s && N.skip_effect(this.#s), N.oncommit(() => {
			this.#v() || this.#w(e);
		})) : this.#w(e);
	}
	#w(e) {
		this.#a &&= (kn(this.#a), null), this.#o &&= (kn(this.#o), null), this.#s &&= (kn(this.#s), null), D && (we(this.#t), Ee(), we(De()));
		let t = this.#n.failed, n = (e) => {
			if (this.#v()) return;
			let { reset: n, invoke_onerror: r } = this.#_(e);
			r(), t && !this.#v() && (this.#s = this.#S(() => {
				try {
					return Tn(() => {
						var r = H;
						r.b = this, r.f |= 128, t(this.#e, () => e, () => n);
					});
				} catch (e) {
					return dn(e, this.#i.parent), null;
				}
			}));
		};
		Ye(() => {
			if (!this.#v()) {
				var t;
				try {
					t = this.transform_error(e);
				} catch (e) {
					dn(e, this.#i && this.#i.parent);
					return;
				}
				typeof t == "object" && t && typeof t.then == "function" ? t.then(n, (e) => dn(e, this.#i && this.#i.parent)) : n(t);
			}
		});
	}
};
function J(e, t) {
	var n = t == null ? "" : typeof t == "object" ? `${t}` : t;
	n !== (e[ue] ??= e.nodeValue) && (e[ue] = n, e.nodeValue = `${n}`);
}
function Nr(e, t) {
	return Fr(e, t);
}
var Pr = /* @__PURE__ */ new Map();
function Fr(e, { target: t, anchor: n, props: i = {}, events: a, context: o, intro: s = !0, transformError: c }) {
	tn();
	var l = void 0, u = yn(() => {
		var s = n ?? t.appendChild(nn());
		jr(s, { pending: () => {} }, (t) => {
			A({});
			var n = Ue;
			if (o && (n.c = o), a && (i.$$events = a), D && wr(t, null), l = e(t, i) || Ge(), D && (H.nodes.end = O, O === null || O.nodeType !== 8 || O.data !== "]")) throw be(), me;
			j();
		}, c);
		var u = /* @__PURE__ */ new Set(), d = (e) => {
			for (var n = 0; n < e.length; n++) {
				var r = e[n];
				if (!u.has(r)) {
					u.add(r);
					var i = fr(r);
					for (let e of [t, document]) {
						var a = Pr.get(e);
						a === void 0 && (a = /* @__PURE__ */ new Map(), Pr.set(e, a));
						var o = a.get(r);
						o === void 0 ? (e.addEventListener(r, br, { passive: i }), a.set(r, 1)) : a.set(r, o + 1);
					}
				}
			}
		};
		return d(r(mr)), hr.add(d), () => {
			for (var e of u) for (let n of [t, document]) {
				var r = Pr.get(n), i = r.get(e);
				--i == 0 ? (n.removeEventListener(e, br), r.delete(e), r.size === 0 && Pr.delete(n)) : r.set(e, i);
			}
			hr.delete(d), s !== n && s.parentNode?.removeChild(s);
		};
	});
	return Ir.set(l, u), l;
}
var Ir = /* @__PURE__ */ new WeakMap();
function Lr(e, t) {
	let n = Ir.get(e);
	return n ? (Ir.delete(e), n(t)) : Promise.resolve();
}
// node_modules/svelte/src/internal/client/dom/blocks/branches.js
var Rr = class {
	anchor;
	#e = /* @__PURE__ */ new Map();
	#t = /* @__PURE__ */ new Map();
	#n = /* @__PURE__ */ new Map();
	#r = /* @__PURE__ */ new Set();
	#i = !0;
	constructor(e, t = !0) {
		this.anchor = e, this.#i = t;
	}
	#a = (e) => {
		if (this.#e.has(e)) {
			var t = this.#e.get(e), n = this.#t.get(t);
			if (n) Pn(n), this.#r.delete(t);
			else {
				var r = this.#n.get(t);
				r && (Pn(r.effect), this.#t.set(t, r.effect), this.#n.delete(t), r.fragment.lastChild.remove(), this.anchor.before(r.fragment), n = r.effect);
			}
			for (let [t, n] of this.#e) {
				if (this.#e.delete(t), t === e) break;
				let r = this.#n.get(n);
				r && (kn(r.effect), this.#n.delete(n));
			}
			for (let [e, r] of this.#t) {
				if (e === t || this.#r.has(e)) continue;
				let i = () => {
					if (Array.from(this.#e.values()).includes(e)) {
						var t = document.createDocumentFragment();
						In(r, t), t.append(nn()), this.#n.set(e, {
							effect: r,
							fragment: t
						});
					} else kn(r);
					this.#r.delete(e), this.#t.delete(e);
				};
				this.#i || !n ? (this.#r.add(e), Mn(r, i, !1)) : i();
			}
		}
	};
	#o = (e) => {
		this.#e.delete(e);
		let t = Array.from(this.#e.values());
		for (let [e, n] of this.#n) t.includes(e) || (kn(n.effect), this.#n.delete(e));
	};
	ensure(e, t) {
		var n = N, r = sn();
		if (t && !this.#t.has(e) && !this.#n.has(e)) {
			if (r) {
				var i = document.createDocumentFragment(), a = nn();
				i.append(a), this.#n.set(e, {
					effect: Tn(() => t(a)),
					fragment: i
				});
			} else this.#t.set(e, Tn(() => t(this.anchor)));
		}
		if (this.#e.set(n, e), r) {
			for (let [t, r] of this.#t) t === e ? n.unskip_effect(r) : n.skip_effect(r);
			for (let [t, r] of this.#n) t === e ? n.unskip_effect(r.effect) : n.skip_effect(r.effect);
			n.oncommit(this.#a), n.ondiscard(this.#o);
		} else D && (this.anchor = O), this.#a(n);
	}
};
// node_modules/svelte/src/internal/client/dom/blocks/if.js
function Y(e, t, n = !1) {
	var r;
	D && (r = O, Te());
	var i = new Rr(e), a = n ? C : 0;
	function o(e, t) {
		if (D) {
			var n = Oe(r);
			if (e !== parseInt(n.substring(1))) {
				var a = De();
				we(a), i.anchor = a, Ce(!1), i.ensure(e, t), Ce(!0);
				return;
			}
		}
		i.ensure(e, t);
	}
	Cn(() => {
		var e = !1;
		t((t, n = 0) => {
			e = !0, o(n, t);
		}), e || o(-1, null);
	}, a);
}
// node_modules/svelte/src/internal/client/dom/blocks/key.js
var zr = Symbol("NaN");
function Br(e, t, n) {
	D && Te();
	var r = new Rr(e), i = !Ke();
	Cn(() => {
		var e = t();
		e !== e && (e = zr), i && typeof e == "object" && e && (e = {}), r.ensure(e, n);
	});
}
// node_modules/svelte/src/internal/client/dom/blocks/each.js
function Vr(e, t) {
	return t;
}
function Hr(e, t, n) {
	for (var i = [], a = t.length, o, s = t.length, c = 0; c < a; c++) {
		let n = t[c];
		Mn(n, () => {
			if (o) {
				if (o.pending.delete(n), o.done.add(n), o.pending.size === 0) {
					var t = e.outrogroups;
					Ur(e, r(o.done)), t.delete(o), t.size === 0 && (e.outrogroups = null);
				}
			} else --s;
		}, !1);
	}
	if (s === 0) {
		var l = i.length === 0 && n !== null && e.pending.size === 0;
		if (l) {
			var u = n, d = u.parentNode;
			on(d), d.append(u), e.items.clear();
		}
		Ur(e, t, !l);
	} else o = {
		pending: new Set(t),
		done: /* @__PURE__ */ new Set()
	}, (e.outrogroups ??= /* @__PURE__ */ new Set()).add(o);
}
function Ur(e, t, n = !0) {
	var r;
	if (e.pending.size > 0) {
		r = /* @__PURE__ */ new Set();
		for (let t of e.pending.values()) for (let n of t) r.add(e.items.get(n).e);
	}
	for (var i = 0; i < t.length; i++) {
		var a = t[i];
		r?.has(a) ? (a.f |= E, In(a, document.createDocumentFragment())) : kn(t[i], n);
	}
}
var Wr;
function X(t, n, i, a, o, s = null) {
	var c = t, l = /* @__PURE__ */ new Map();
	if (n & 4) {
		var u = t;
		c = D ? we(/* @__PURE__ */ rn(u)) : u.appendChild(nn());
	}
	D && Te();
	var d = null, f = /* @__PURE__ */ pt(() => {
		var t = i();
		return e(t) ? t : t == null ? [] : r(t);
	}), p = /* @__PURE__ */ new Map(), m = !0;
	function h(e) {
		if (!(_.effect.f & 16384)) {
			_.pending.delete(e);
			var t = U(f);
			_.fallback = d, Kr(_, t, c, n, a), d !== null && (t.length === 0 ? d.f & 33554432 ? (d.f ^= E, Jr(d, null, c)) : Pn(d) : Mn(d, () => {
				d = null;
			}));
		}
	}
	function g(e) {
		_.pending.delete(e);
	}
	var _ = {
		effect: Cn(() => {
			var e = U(f), t = e.length;
			let r = !1;
			D && Oe(c) === "[!" != (t === 0) && (c = De(), we(c), Ce(!1), r = !0);
			for (var u = /* @__PURE__ */ new Set(), _ = N, v = sn(), y = 0; y < t; y += 1) {
				D && O.nodeType === 8 && O.data === "]" && (c = O, r = !0, Ce(!1));
				var b = e[y], x = a(b, y), S = m ? null : l.get(x);
				S ? (S.v && Wt(S.v, b), S.i && Wt(S.i, y), v && _.unskip_effect(S.e)) : (S = qr(l, m ? c : Wr ??= nn(), b, x, y, o, n, i), m || (S.e.f |= E), l.set(x, S)), u.add(x);
			}
			if (t === 0 && s && !d && (m ? d = Tn(() => s(c)) : (d = Tn(() => s(Wr ??= nn())), d.f |= E)), t > u.size && Ne("", "", ""), D && t > 0 && we(De()), !m) {
				if (p.set(_, u), v) {
					for (let [e, t] of l) u.has(e) || _.skip_effect(t.e);
					_.oncommit(h), _.ondiscard(g);
				} else h(_);
			}
			r && Ce(!0), U(f);
		}),
		flags: n,
		items: l,
		pending: p,
		outrogroups: null,
		fallback: d
	};
	m = !1, D && (c = O);
}
function Gr(e) {
	for (; e !== null && !(e.f & 32);) e = e.next;
	return e;
}
function Kr(e, t, n, i, a) {
	var o = !!(i & 8), s = t.length, c = e.items, l = Gr(e.effect.first), u, d = null, f, p = [], m = [], h, g, _, v;
	if (o) for (v = 0; v < s; v += 1) h = t[v], g = a(h, v), _ = c.get(g).e, _.f & 33554432 || (_.nodes?.a?.measure(), (f ??= /* @__PURE__ */ new Set()).add(_));
	for (v = 0; v < s; v += 1) {
		if (h = t[v], g = a(h, v), _ = c.get(g).e, e.outrogroups !== null) for (let t of e.outrogroups) t.pending.delete(_), t.done.delete(_);
		if (_.f & 8192 && (Pn(_), o && (_.nodes?.a?.unfix(), (f ??= /* @__PURE__ */ new Set()).delete(_))), _.f & 33554432) {
			if (_.f ^= E, _ === l) Jr(_, null, n);
			else {
				var y = d ? d.next : l;
				_ === e.effect.last && (e.effect.last = _.prev), _.prev && (_.prev.next = _.next), _.next && (_.next.prev = _.prev), Yr(e, d, _), Yr(e, _, y), Jr(_, y, n), d = _, p = [], m = [], l = Gr(d.next);
				continue;
			}
		}
		if (_ !== l) {
			if (u !== void 0 && u.has(_)) {
				if (p.length < m.length) {
					var b = m[0], x;
					d = b.prev;
					var S = p[0], C = p[p.length - 1];
					for (x = 0; x < p.length; x += 1) Jr(p[x], b, n);
					for (x = 0; x < m.length; x += 1) u.delete(m[x]);
					Yr(e, S.prev, C.next), Yr(e, d, S), Yr(e, C, b), l = b, d = C, --v, p = [], m = [];
				} else u.delete(_), Jr(_, l, n), Yr(e, _.prev, _.next), Yr(e, _, d === null ? e.effect.first : d.next), Yr(e, d, _), d = _;
				continue;
			}
			for (p = [], m = []; l !== null && l !== _;) (u ??= /* @__PURE__ */ new Set()).add(l), m.push(l), l = Gr(l.next);
			if (l === null) continue;
		}
		_.f & 33554432 || p.push(_), d = _, l = Gr(_.next);
	}
	if (e.outrogroups !== null) {
		for (let t of e.outrogroups) t.pending.size === 0 && (Ur(e, r(t.done)), e.outrogroups?.delete(t));
		e.outrogroups.size === 0 && (e.outrogroups = null);
	}
	if (l !== null || u !== void 0) {
		var w = [];
		if (u !== void 0) for (_ of u) _.f & 8192 || w.push(_);
		for (; l !== null;) !(l.f & 8192) && l !== e.fallback && w.push(l), l = Gr(l.next);
		var T = w.length;
		if (T > 0) {
			var ee = i & 4 && s === 0 ? n : null;
			if (o) {
				for (v = 0; v < T; v += 1) w[v].nodes?.a?.measure();
				for (v = 0; v < T; v += 1) w[v].nodes?.a?.fix();
			}
			Hr(e, w, ee);
		}
	}
	o && Ye(() => {
		if (f !== void 0) for (_ of f) _.nodes?.a?.apply();
	});
}
function qr(e, t, n, r, i, a, o, s) {
	var c = o & 1 ? o & 16 ? Bt(n) : /* @__PURE__ */ Vt(n, !1, !1) : null, l = o & 2 ? Bt(i) : null;
	return {
		v: c,
		i: l,
		e: Tn(() => (a(t, c ?? n, l ?? i, s), () => {
			e.delete(r);
		}))
	};
}
function Jr(e, t, n) {
	if (e.nodes) for (var r = e.nodes.start, i = e.nodes.end, a = t && !(t.f & 33554432) ? t.nodes.start : n; r !== null;) {
		var o = /* @__PURE__ */ an(r);
		if (a.before(r), r === i) return;
		r = o;
	}
}
function Yr(e, t, n) {
	t === null ? e.effect.first = n : t.next = n, n === null ? e.effect.last = t : n.prev = t;
}
function Z(e, t, n = !1, r = !1, i = !1, a = !1) {
	var o = e, s = "";
	if (n) {
		var c = e;
		D && (o = we(/* @__PURE__ */ rn(c)));
	}
	B(() => {
		var e = H;
		if (s === (s = t() ?? "")) D && Te();
		else if (n && !D) e.nodes = null, c.innerHTML = s, s !== "" && wr(/* @__PURE__ */ rn(c), c.lastChild);
		else if (e.nodes !== null && (An(e.nodes.start, e.nodes.end), e.nodes = null), s !== "") {
			if (D) {
				for (var a = O.data, l = Te(), u = l; l !== null && (l.nodeType !== 8 || l.data !== "");) u = l, l = /* @__PURE__ */ an(l);
				if (l === null) throw be(), me;
				wr(O, u), o = we(l);
			} else {
				var d = cn(r ? "svg" : i ? "math" : "template", r ? _e : i ? ve : void 0);
				d.innerHTML = s;
				var f = r || i ? d : d.content;
				if (wr(/* @__PURE__ */ rn(f), f.lastChild), r || i) for (; /* @__PURE__ */ rn(f);) o.before(/* @__PURE__ */ rn(f));
				else o.before(f);
			}
		}
	});
}
// node_modules/svelte/src/internal/client/dom/blocks/snippet.js
function Xr(e, t, ...n) {
	var r = new Rr(e);
	Cn(() => {
		let e = t() ?? null;
		r.ensure(e, e && ((t) => e(t, ...n)));
	}, C);
}
// node_modules/svelte/src/internal/client/dom/elements/attachments.js
function Zr(e, t) {
	var n = void 0, r;
	wn(() => {
		n !== (n = t()) && (r &&= (kn(r), null), n && (r = Tn(() => {
			bn(() => n(e));
		})));
	});
}
// node_modules/svelte/src/internal/shared/attributes.js
var Qr = [..." 	\n\r\f\xA0\v﻿"];
function $r(e, t, n) {
	var r = e == null ? "" : "" + e;
	if (t && (r = r ? r + " " + t : t), n) {
		for (var i of Object.keys(n)) if (n[i]) r = r ? r + " " + i : i;
		else if (r.length) for (var a = i.length, o = 0; (o = r.indexOf(i, o)) >= 0;) {
			var s = o + a;
			(o === 0 || Qr.includes(r[o - 1])) && (s === r.length || Qr.includes(r[s])) ? r = (o === 0 ? "" : r.substring(0, o)) + r.substring(s + 1) : o = s;
		}
	}
	return r === "" ? null : r;
}
// node_modules/svelte/src/internal/client/dom/elements/class.js
function ei(e, t, n, r, i, a) {
	var o = e[ce];
	if (D || o !== n || o === void 0) {
		var s = $r(n, r, a);
		D && s === e.getAttribute("class") || (s == null ? e.removeAttribute("class") : t ? e.className = s : e.setAttribute("class", s)), e[ce] = n;
	} else if (a && i !== a) for (var c in a) {
		var l = !!a[c];
		(i == null || l !== !!i[c]) && e.classList.toggle(c, l);
	}
	return a;
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/select.js
function ti(e, t) {
	t ? e.hasAttribute("selected") || e.setAttribute("selected", "") : e.removeAttribute("selected");
}
function ni(t, n) {
	var r = t.__defaultValue, i = t.multiple, a = i ? r ?? [] : null;
	if (!i || e(a)) {
		var o = t.selectedIndex, s = n && i ? new Set(t.selectedOptions) : null;
		for (var c of t.options) {
			var l = ai(c);
			ti(c, i ? a.includes(l) : Xt(l, r));
		}
		if (n) {
			if (s !== null) for (c of t.options) {
				var u = s.has(c);
				c.selected !== u && (c.selected = u);
			}
			else t.selectedIndex !== o && (t.selectedIndex = o);
		}
	}
}
function ri(t, n, r = !1) {
	if (t.multiple) {
		if (n == null) return;
		if (!e(n)) return xe();
		for (var i of t.options) i.selected = n.includes(ai(i));
	} else {
		for (i of t.options) if (Xt(ai(i), n)) {
			i.selected = !0;
			return;
		}
		r && n === void 0 || (t.selectedIndex = -1);
	}
}
function ii(e) {
	var t = new MutationObserver((t) => {
		t.every(oi) || ("__defaultValue" in e && ni(e, !1), "__value" in e && ri(e, e.__value));
	});
	t.observe(e, {
		childList: !0,
		subtree: !0,
		attributes: !0,
		attributeFilter: ["value"]
	}), gn(() => {
		t.disconnect();
	});
}
function ai(e) {
	return "__value" in e ? e.__value : e.value;
}
function oi(e) {
	if (e.target.closest("selectedcontent") !== null) return !0;
	if (e.type === "childList") {
		var t = [...e.addedNodes, ...e.removedNodes];
		return t.length > 0 && t.every((e) => e.nodeName === "SELECTEDCONTENT");
	}
	return !1;
}
// node_modules/svelte/src/internal/client/dom/elements/attributes.js
var si = Symbol("is custom element"), ci = Symbol("is html"), li = pe ? "link" : "LINK", ui = pe ? "progress" : "PROGRESS";
function di(e) {
	if (D) {
		var t = !1, n = () => {
			if (!t) {
				if (t = !0, e.hasAttribute("value")) {
					var n = e.value;
					Q(e, "value", null), e.value = n;
				}
				if (e.hasAttribute("checked")) {
					var r = e.checked;
					Q(e, "checked", null), e.checked = r;
				}
			}
		};
		e[de] = n, Ye(n), rt();
	}
}
function fi(e, t) {
	var n = mi(e);
	n.value !== (n.value = t ?? void 0) && (e.value !== t || t === 0 && e.nodeName === ui) && (e.value = t ?? "");
}
function pi(e, t) {
	var n = mi(e);
	n.checked !== (n.checked = t ?? void 0) && (e.checked = t);
}
function Q(e, t, n, r) {
	var i = mi(e);
	if (!(D && (i[t] = e.getAttribute(t), t === "src" || t === "srcset" || t === "href" && e.nodeName === li))) {
		var a = i[t];
		a !== (i[t] = n) && (t === "loading" && (e[oe] = n), n == null ? e.removeAttribute(t) : typeof n != "string" && gi(e).has(t) ? e[t] = n : (!D || typeof n != "number" && typeof n != "boolean" || a !== String(n)) && e.setAttribute(t, n));
	}
}
function mi(e) {
	return e[se] ??= {
		[si]: e.nodeName.includes("-"),
		[ci]: e.namespaceURI === ge
	};
}
var hi = /* @__PURE__ */ new Map();
function gi(e) {
	var t = e.getAttribute("is") || e.nodeName, n = hi.get(t);
	if (n) return n;
	hi.set(t, n = /* @__PURE__ */ new Set());
	for (var r, i = e, a = Element.prototype; a !== i;) {
		for (var s in r = o(i), r) r[s].set && s !== "innerHTML" && s !== "textContent" && s !== "innerText" && n.add(s);
		i = l(i);
	}
	return n;
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/input.js
function _i(e, t, n = t) {
	var r = /* @__PURE__ */ new WeakSet();
	at(e, "input", async (i) => {
		var a = i ? e.defaultValue : e.value;
		if (a = vi(e) ? yi(a) : a, n(a), N !== null && r.add(N), await sr(), a !== (a = t())) {
			var o = e.selectionStart, s = e.selectionEnd, c = e.value.length;
			if (e.value = a ?? "", s !== null) {
				var l = e.value.length;
				o === s && s === c && l > c ? (e.selectionStart = l, e.selectionEnd = l) : (e.selectionStart = o, e.selectionEnd = Math.min(s, l));
			}
		}
	}), (D && e.defaultValue !== e.value || ur(t) == null && e.value) && (n(vi(e) ? yi(e.value) : e.value), N !== null && r.add(N)), Sn(() => {
		var n = t();
		if (e === document.activeElement) {
			var i = N;
			if (r.has(i)) return;
		}
		vi(e) && n === yi(e.value) || (e.type !== "date" || n || e.value) && n !== e.value && (e.value = n ?? "");
	});
}
function vi(e) {
	var t = e.type;
	return t === "number" || t === "range";
}
function yi(e) {
	return e === "" ? null : +e;
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/this.js
function bi(e, t) {
	return e === t || e?.[re] === t;
}
function xi(e = Ge(), t, n, r) {
	var i = Ue.r, a = H;
	return bn(() => {
		var o, s;
		return Sn(() => {
			o = s, s = r?.() || [], ur(() => {
				bi(n(...s), e) || (t(e, ...s), o && bi(n(...o), e) && t(null, ...o));
			});
		}), () => {
			let r = a;
			for (; r !== i && r.parent !== null && r.parent.f & 33554432;) r = r.parent;
			let o = () => {
				s && bi(n(...s), e) && t(null, ...s);
			}, c = r.teardown;
			r.teardown = () => {
				o(), c?.();
			};
		};
	}), e;
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/universal.js
function Si(e, t, n, r, i) {
	var a = () => {
		r(n[e]);
	};
	n.addEventListener(t, a), i ? Sn(() => {
		n[e] = i();
	}) : a(), (n === document.body || n === window || n === document) && gn(() => {
		n.removeEventListener(t, a);
	});
}
// node_modules/svelte/src/internal/client/reactivity/store.js
var Ci = !1;
function wi(e) {
	var t = Ci;
	try {
		return Ci = !1, [e(), Ci];
	} finally {
		Ci = t;
	}
}
// node_modules/svelte/src/internal/client/reactivity/props.js
function Ti(e, t, n, r) {
	var i = !0, o = !!(n & 8), s = !!(n & 16), c = r, l = !0, u = void 0, d = () => s && i ? (u ??= /* @__PURE__ */ ut(r), U(u)) : (l && (l = !1, c = s ? ur(r) : r), c);
	let f;
	if (o) {
		var p = re in e || ae in e;
		f = a(e, t)?.set ?? (p && t in e ? (n) => e[t] = n : void 0);
	}
	var m, h = !1;
	o ? [m, h] = wi(() => e[t]) : m = e[t], m === void 0 && r !== void 0 && (m = d(), f && (i && Re(t), f(m)));
	var g = i ? () => {
		var n = e[t];
		return n === void 0 ? d() : (l = !0, n);
	} : () => {
		var n = e[t];
		return n !== void 0 && (c = void 0), n === void 0 ? c : n;
	};
	if (i && !(n & 4)) return g;
	if (f) {
		var _ = e.$$legacy;
		return (function(e, t) {
			return arguments.length > 0 ? ((!i || !t || _ || h) && f(t ? g() : e), e) : g();
		});
	}
	var v = !1, y = (n & 1 ? ut : pt)(() => (v = !1, g()));
	o && U(y);
	var b = H;
	return (function(e, t) {
		if (arguments.length > 0) {
			let n = t ? U(y) : i && o ? Jt(e) : e;
			return F(y, n), v = !0, c !== void 0 && (c = n), e;
		}
		return Rn && v || b.f & 16384 ? y.v : U(y);
	});
}
var Ei = ":root{--lightningcss-light:initial;--lightningcss-dark: ;color-scheme:light dark;--ink:var(--lightningcss-light,#1a1c20)var(--lightningcss-dark,#e7e8ec);--soft:var(--lightningcss-light,#575c66)var(--lightningcss-dark,#a9aeb9);--ground:var(--lightningcss-light,#f4f5f7)var(--lightningcss-dark,#121316);--paper:var(--lightningcss-light,#fff)var(--lightningcss-dark,#1a1c20);--shade:var(--lightningcss-light,#f4f5f7)var(--lightningcss-dark,#23262c);--line:var(--lightningcss-light,#d9dce2)var(--lightningcss-dark,#383c45);--edge:var(--lightningcss-light,#868c98)var(--lightningcss-dark,#777e8c);--link:var(--lightningcss-light,#1d4ed8)var(--lightningcss-dark,#93b7ff);--on-link:var(--lightningcss-light,#fff)var(--lightningcss-dark,#10131a);--link-tint:var(--lightningcss-light,#e8eefc)var(--lightningcss-dark,#1f2a44);--uses:var(--lightningcss-light,#b45309)var(--lightningcss-dark,#ffb454);--uses-tint:var(--lightningcss-light,#fff3df)var(--lightningcss-dark,#3a2c15);--used-by:var(--lightningcss-light,#0f766e)var(--lightningcss-dark,#4fd1c5);--used-by-tint:var(--lightningcss-light,#e2f6f3)var(--lightningcss-dark,#14332f);--moved:var(--lightningcss-light,#7c3aed)var(--lightningcss-dark,#c9b0ff);--moved-tint:var(--lightningcss-light,#f1eafe)var(--lightningcss-dark,#2d2446);--good:var(--lightningcss-light,#1c6b2a)var(--lightningcss-dark,#8fd69b);--good-tint:var(--lightningcss-light,#e6f5e8)var(--lightningcss-dark,#16301b);--bad:var(--lightningcss-light,#b3001b)var(--lightningcss-dark,#ff9a9a);--bad-tint:var(--lightningcss-light,#fdecee)var(--lightningcss-dark,#3d1a1d);--after:var(--lightningcss-light,#8a4b00)var(--lightningcss-dark,#ffb86b);--mild:var(--lightningcss-light,#6b5300)var(--lightningcss-dark,#e6cf6a);--dim:var(--lightningcss-light,#575c66)var(--lightningcss-dark,#a9aeb9);--han:\"PingFang SC\", \"Microsoft YaHei\", \"Noto Sans CJK SC\";--sans:system-ui, \"Segoe UI\", Roboto, \"Helvetica Neue\", sans-serif, var(--han);--mono:ui-monospace, \"Cascadia Mono\", Menlo, Consolas, monospace, var(--han);--round:.5rem}@media (prefers-color-scheme:dark){:root{--lightningcss-light: ;--lightningcss-dark:initial}}:root[data-theme=light]{--lightningcss-light:initial;--lightningcss-dark: ;color-scheme:light}:root[data-theme=dark]{--lightningcss-light: ;--lightningcss-dark:initial;color-scheme:dark}*{box-sizing:border-box}html{scroll-padding-top:1rem}body{color:var(--ink);background:var(--ground);font:1rem/1.55 var(--sans);overflow-wrap:break-word;margin:0}h1,h2,h3,p,ul,ol,table,figure{margin:0}h1{letter-spacing:-.01em;overflow-wrap:anywhere;font-size:1.45rem;line-height:1.25}h2{font-size:1.1rem;line-height:1.35}h3{font-size:.95rem}code,pre,kbd{font-family:var(--mono);font-size:.9em}math{font-family:math;font-size:1.12em}bdi{word-break:keep-all}a{color:var(--link)}:focus-visible{outline:3px solid var(--link);outline-offset:2px}[hidden]{display:none!important}button,summary,select,input,textarea{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--edge);border-radius:var(--round);min-height:2.1rem;padding:.28rem .65rem;font-size:.92rem}button,summary,select{cursor:pointer}button:hover:not(:disabled),summary:hover{background:var(--shade)}button:disabled{cursor:default;color:var(--soft);border-color:var(--line);opacity:.65}button[aria-pressed=true]{background:var(--link-tint);border-color:var(--link);color:var(--link);font-weight:600}button.primary{background:var(--link);border-color:var(--link);color:var(--on-link);font-weight:600}button.primary:hover:not(:disabled){background:var(--link);filter:brightness(1.1)}button.primary:disabled{background:var(--shade);color:var(--soft);border-color:var(--line)}button.quiet{background:0 0;border-color:#0000}button.quiet:hover:not(:disabled){background:var(--link-tint)}button.quiet[aria-pressed=true]{border-color:var(--link);background:var(--link-tint)}button.round{border-radius:50%;width:2.1rem;min-width:2.1rem;padding:0;line-height:1}button.link{min-height:1.65rem;color:var(--link);text-align:left;background:0 0;border:0;padding:.1rem .3rem}button.link:hover{background:var(--link-tint)}summary{align-items:center;gap:.4rem;width:fit-content;list-style:none;display:inline-flex}summary::-webkit-details-marker{display:none}summary:after{content:\"▾\" / \"\";color:var(--soft);font-size:.8em}details[open]>summary:after{content:\"▴\" / \"\"}[aria-invalid=true]{border-color:var(--bad)}input::placeholder,textarea::placeholder{color:var(--soft);opacity:1}.segments{display:inline-flex}.segments button{border-radius:0;margin-left:-1px}.segments button:first-child{border-radius:var(--round) 0 0 var(--round);margin-left:0}.segments button:last-child{border-radius:0 var(--round) var(--round) 0}.segments button[aria-pressed=true]{z-index:1;position:relative}.hidden{clip-path:inset(50%);white-space:nowrap;border:0;width:1px;height:1px;min-height:0;padding:0;position:absolute;overflow:hidden}.skip{position:absolute;left:-100vw}.skip:focus{z-index:30;background:var(--paper);padding:.4rem .8rem;position:fixed;top:.5rem;left:1rem}.note,.waiting{color:var(--soft);font-size:.9rem}.problem{color:var(--bad);font-size:.9rem}.failure{color:var(--bad);background:var(--bad-tint);border:1px solid var(--bad);border-radius:var(--round);margin-bottom:1rem;padding:.6rem .9rem}.field{border:0;flex-direction:column;gap:.2rem;min-width:0;margin:0;padding:0;display:flex}.field>span,.field>label,.field>legend{color:var(--soft);padding:0;font-size:.85rem}.field.inline{flex-direction:row;align-items:center;gap:.5rem}.field select{max-width:100%}.check{align-items:center;gap:.4rem;font-size:.92rem;display:inline-flex}.check input{width:1.1rem;height:1.1rem;min-height:0;accent-color:var(--link);margin:0}.bubble{background:var(--bad-tint);border:1px solid var(--bad);border-radius:var(--round);max-width:min(24rem,100vw - 1rem);margin:0;padding:.4rem .7rem;position:fixed;inset:auto}.notice{z-index:40;background:var(--ink);max-width:calc(100vw - 2rem);color:var(--paper);border-radius:2rem;padding:.5rem 1rem;font-size:.92rem;position:fixed;bottom:1.25rem;left:50%;transform:translate(-50%);box-shadow:0 4px 16px #0004}@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}td[data-cell],.strip button,.busy{transition:background-color .12s,opacity .12s}}", Di = ".intro{color:var(--soft);margin-bottom:.9rem}.intro p+p{margin-top:.3rem}.about{margin-bottom:.5rem}.about>summary{min-height:1.8rem;color:var(--soft);background:0 0;border:0;padding:0;font-size:.88rem}.badge{border:1px solid var(--line);border-radius:1rem;align-self:center;align-items:center;gap:.4rem;min-height:1.75rem;padding:.1rem .7rem;font-size:.88rem;display:inline-flex}.badge.good{color:var(--good);background:var(--good-tint);border-color:var(--good)}.badge.bad{color:var(--bad);background:var(--bad-tint);border-color:var(--bad)}.setup{flex-wrap:wrap;align-items:center;gap:.5rem 1.25rem;margin-bottom:.7rem;display:flex}.setup>.field{max-width:100%}.setup select{text-overflow:ellipsis;max-width:min(22rem,70vw)}.tokens{flex-wrap:wrap;align-items:center;gap:.35rem;display:flex}.tokens .label{color:var(--soft);margin-right:.15rem;font-size:.85rem}.token{border:1px solid var(--edge);border-radius:var(--round);background:var(--paper);display:inline-flex}.token button{background:0 0;border:0;min-height:1.8rem}.token .name{padding-inline:.6rem}.token .name:disabled{opacity:1;color:inherit}.token .remove{color:var(--soft);border-left:1px solid var(--line);padding:0 .45rem}.token .remove:hover{color:var(--bad)}.token input{border:0;min-height:1.9rem}.add{display:inline-flex}.add input{border-radius:var(--round) 0 0 var(--round);background:0 0;border-style:dashed none dashed dashed;border-right-width:0;border-right-color:currentColor;width:7rem;min-height:1.9rem}.add button{border-radius:0 var(--round) var(--round) 0;min-height:1.9rem}.options{position:relative}.choices{z-index:15;background:var(--paper);border:1px solid var(--line);border-radius:.75rem;grid-template-columns:repeat(2,minmax(9rem,1fr));gap:.7rem 1rem;width:max-content;max-width:min(26rem,100vw - 1.5rem);padding:.9rem;display:grid;position:absolute;top:calc(100% + .35rem);left:0;box-shadow:0 10px 30px #0003}.toolbar{flex-wrap:wrap;align-items:center;gap:.4rem;margin-bottom:.6rem;display:flex}.strip{margin:0 0 .8rem;position:relative}.strip ol{scrollbar-width:thin;padding:4px;list-style:none;display:flex;position:relative;overflow-x:auto}.strip li{flex:none;align-items:center;display:flex}.strip li:not(:first-child):before{content:\"\" / \"\";border-top:2px solid var(--line);width:.9rem}.strip button{border-color:var(--line);border-radius:1.2rem;align-items:center;gap:.4rem;padding-inline:.7rem;display:inline-flex}.strip .given button{border-style:dashed;border-color:var(--edge)}.strip .place{color:var(--soft);font-size:.78rem}.strip button[aria-current=step]{background:var(--link);border-color:var(--link);color:var(--on-link);border-style:solid}.strip button[aria-current=step] .place{color:inherit}.strip .left{background:var(--uses-tint);color:var(--uses);border-radius:.6rem;padding:0 .4rem;font-size:.75rem}.changes{background:var(--moved-tint);border:1px solid var(--moved);border-radius:var(--round);margin-bottom:.8rem;padding:.5rem .8rem;font-size:.92rem}.changes p{flex-wrap:wrap;align-items:baseline;gap:.1rem .4rem;display:flex}.changes .label{color:var(--moved);align-items:center;gap:.5rem;margin-right:.6rem;font-weight:600;display:inline-flex}.changes .change{color:var(--ink)}.work{grid-template-columns:minmax(0,1fr) minmax(21rem,27rem);align-items:start;gap:1rem;display:grid}.work.busy{opacity:.75}.stage,.one{background:var(--paper);border:1px solid var(--line);border-radius:.9rem;padding:1rem 1.1rem 1.25rem}.one+.one{margin-top:1rem}.one>h2,.one>p{margin-bottom:.4rem}.where{grid-template-columns:auto 1fr auto auto;align-items:center;gap:.6rem;margin-bottom:.6rem;display:grid}.where .round{font-size:1rem}.before p{max-width:46rem;margin-bottom:.35rem}.board{background:var(--ground);border-radius:.7rem;flex-wrap:wrap;align-items:center;gap:1rem .9rem;margin:.75rem 0 .25rem;padding:.8rem;display:flex}.operands{flex-wrap:wrap;align-items:flex-start;gap:.75rem 1.25rem;min-width:0;max-width:100%;display:flex}.to{align-items:center;gap:.9rem;min-width:0;max-width:100%;display:flex}.result{min-width:0;max-width:100%}.arrow{background:linear-gradient(var(--edge), var(--edge)) left center / calc(100% - .3rem) 2px no-repeat;flex:none;width:1.6rem;height:1rem;position:relative}.arrow:after{content:\"\" / \"\";border-top:2px solid var(--edge);border-right:2px solid var(--edge);width:.5rem;height:.5rem;position:absolute;top:.22rem;right:.1rem;transform:rotate(45deg)}.where-cell{flex-wrap:wrap;gap:.2rem 1.1rem;margin:.4rem 0 0;font-size:.85rem;display:flex}.where-cell .key{align-items:center;gap:.4rem;display:inline-flex}.where-cell .swatch{width:1.15rem;height:.9rem}.where-cell .count{margin-left:auto}.after p{max-width:46rem;margin:.35rem 0}.closing{background:var(--paper);border:1px solid var(--line);border-radius:.9rem;margin-top:1.25rem;padding:1rem 1.25rem}.closing h2:not(:first-child){margin-top:1rem}.closing th,.closing td{border-bottom:1px solid var(--line);padding-left:0}.closing p{max-width:60rem;margin:.35rem 0}@media (width<=62rem){.work{grid-template-columns:minmax(0,1fr)}.stage{flex-direction:column;display:flex}.stage .board{order:1}.stage .where-cell{order:2;margin-bottom:.5rem}.stage .before{order:3}.stage .after{order:4}}@media (width<=40rem){.title:has(>.badge){flex-direction:column}.badge{align-self:flex-start}.stage,.one{border-radius:.7rem;padding:.7rem .5rem}.board{padding:.6rem .35rem}.to{flex-direction:column;align-items:flex-start;gap:.6rem}.arrow{transform:rotate(90deg)}.toolbar:not(.found),.strip{margin-inline:-.75rem}.toolbar:not(.found){scrollbar-width:none;flex-wrap:nowrap;margin-bottom:.2rem;padding:4px .75rem;overflow-x:auto}.toolbar:not(.found)>*{flex:none}.strip ol{scrollbar-width:none;padding-inline:.75rem}.where{grid-template-columns:auto 1fr auto}.where h2{grid-area:1/1/auto/-1}.where .play{justify-self:center}.operands{gap:.5rem .4rem}.options{position:static}.setup{position:relative}.choices{width:auto;max-width:none;right:0}td[data-cell]{min-width:2.3rem}.page td,.page th{padding-inline:.4rem}.page td[data-cell]{padding-left:.55rem}td[data-term]:after{font-size:.58rem;top:.2rem;left:.16rem}.page td.number[class*=\\ ]{padding-right:calc(.4rem + var(--moved-by,0ch))}table[data-array] thead th:first-child:not(.number){font-size:.68rem}}.plain>:is(h2,h3,h4){margin:1.3rem 0 .3rem}.plain>p{max-width:60rem;margin:.4rem 0}", Oi = ".wide{max-width:100%;padding:3px;overflow-x:auto}.page table:not(.keys){border-collapse:separate;border-spacing:0;font-variant-numeric:tabular-nums}.page caption{text-align:left;color:var(--soft);white-space:nowrap;padding-bottom:.3rem;font-size:.92rem}.page th,.page td{text-align:left;vertical-align:baseline;padding:.3rem .65rem;font-weight:400}.page th{color:var(--soft);white-space:nowrap;font-size:.88rem}.page .number{text-align:right;white-space:nowrap}table[data-array]{margin:.35rem 0}table[data-array] thead th{padding-block:.1rem .35rem}table[data-array] thead th:first-child:not(.number){padding-left:0;font-size:.78rem}table[data-array] tbody th{padding-left:0}td[data-cell]{cursor:default;min-width:3.2rem;font-size:1rem;position:relative}td[data-cell]:focus-visible{outline:3px solid var(--link);outline-offset:-2px;z-index:2}td[data-cell]:hover{background:var(--link-tint)}table[data-array] td:not([data-cell]){color:var(--soft);font-size:.9rem}table[data-array] tbody th+td[data-cell]{border-left:2px solid var(--edge)}table[data-array] td[data-cell]:not(:has(+td[data-cell])){border-right:2px solid var(--edge)}table[data-array] tbody tr:first-child td[data-cell]:not(:has(+td[data-cell])):before,table[data-array] tbody tr:last-child td[data-cell]:not(:has(+td[data-cell])):before{content:\"\" / \"\";border-top:2px solid var(--edge);width:.4rem;position:absolute;right:0}table[data-array] tbody tr:first-child td[data-cell]:before{top:0}table[data-array] tbody tr:last-child:not(:first-child) td[data-cell]:before{bottom:0}table[data-array] tbody th{position:relative}table[data-array] tbody :is(tr:first-child,tr:last-child) th:after{content:\"\" / \"\";border-top:2px solid var(--edge);width:.4rem;position:absolute;right:-.4rem}table[data-array] tbody tr:first-child th:after{top:0}table[data-array] tbody tr:last-child:not(:first-child) th:after{bottom:0}.editing td[data-written]{-webkit-text-decoration:underline dotted var(--link);text-decoration:underline dotted var(--link);text-underline-offset:.25em;cursor:text}td[data-mark=cell],.swatch.cell{outline:3px solid var(--link);outline-offset:-2px;background:var(--link-tint);z-index:1}td[data-mark=uses],.swatch.uses{outline:2px dashed var(--uses);outline-offset:-3px;background:var(--uses-tint)}td[data-mark=used-by],.swatch.used-by{outline:3px dotted var(--used-by);outline-offset:-3px;background:var(--used-by-tint)}td[data-changed],.swatch.changed{background-image:linear-gradient(225deg, var(--moved) .45rem, transparent .45rem);background-repeat:no-repeat}td[data-changed]:not([data-mark]){background-color:var(--moved-tint)}td[data-pulse]{outline-width:3px;outline-style:solid;outline-color:var(--uses)}td[data-term]:after{content:attr(data-term) / \"\";font:700 .66rem/1 var(--sans);color:var(--uses);position:absolute;top:.28rem;left:.3rem}td[data-pulse]:after{color:var(--paper);background:var(--uses);border-radius:.6rem;padding:.12rem .25rem;top:0;left:0}td[data-covered]{color:var(--soft)}.swatch{vertical-align:-.2rem;border-radius:.2rem;flex:none;width:1.5rem;height:1.15rem;display:inline-block}.swatch.changed{background-color:var(--moved-tint)}.editor,.blank-input{width:100%;min-width:4.5rem;min-height:1.7rem;font:inherit;text-align:right;border-radius:.25rem;padding:0 .3rem}td:has(.editor){z-index:3}.editor{width:max(100%,6rem);min-height:100%;position:absolute;inset:0 0 0 auto}td:has(.blank-input){padding:.15rem .3rem}.blank-input{border:1px dashed var(--edge);background:var(--shade)}.blank-input::placeholder{text-align:left}td[data-verdict=right] .blank-input{border:2px solid var(--good);background:var(--good-tint)}td[data-verdict=wrong] .blank-input{border:2px solid var(--bad);background:var(--bad-tint)}td[data-verdict=revealed] .blank-input{border:2px dotted var(--soft);color:var(--soft)}td[data-verdict=right]:after,td[data-verdict=wrong]:after{content:\"✓\" / \"\";font:700 .8rem/1 var(--sans);color:var(--good);position:absolute;top:.45rem;left:.5rem}td[data-verdict=wrong]:after{content:\"✗\" / \"\";color:var(--bad)}.equations{max-width:100%;margin:.75rem 0;padding:2px;overflow-x:auto}.equation{margin:.2rem 0;line-height:1.9}.equation .about{color:var(--soft);margin-right:.75em;font-size:.92rem}.p1{--moved-by:1ch}.p2{--moved-by:2ch}.p3{--moved-by:3ch}.p4{--moved-by:4ch}.p5{--moved-by:5ch}.p6{--moved-by:6ch}.p7{--moved-by:7ch}.p8{--moved-by:8ch}.p9{--moved-by:9ch}.p10{--moved-by:10ch}.p11{--moved-by:11ch}.p12{--moved-by:12ch}.q1{--moved-by:.5ch}.q2{--moved-by:1.5ch}.q3{--moved-by:2.5ch}.q4{--moved-by:3.5ch}.q5{--moved-by:4.5ch}.q6{--moved-by:5.5ch}.q7{--moved-by:6.5ch}.q8{--moved-by:7.5ch}.q9{--moved-by:8.5ch}.q10{--moved-by:9.5ch}.q11{--moved-by:10.5ch}.q12{--moved-by:11.5ch}.page td.number[class*=\\ ]{padding-right:calc(.65rem + var(--moved-by,0ch))}.page td.number[class]:has(.blank-input){padding-right:.3rem}", ki = ".hatched{background:repeating-linear-gradient(135deg,var(--lightningcss-light,#c9cdd6)var(--lightningcss-dark,#3b404a) 0 1.5px,var(--lightningcss-light,#eceef2)var(--lightningcss-dark,#22252b) 1.5px 6px)}.model{grid-template-columns:minmax(11.5rem,16rem) minmax(0,1fr) minmax(20rem,26rem);align-items:start;gap:1rem;display:grid}.model.single{grid-template-columns:minmax(0,1fr) minmax(19rem,25rem)}.heads,.map-part,.part{background:var(--paper);border:1px solid var(--line);border-radius:.9rem;min-width:0;padding:.8rem .9rem 1rem}.heads>header,.part>header{flex-wrap:wrap;justify-content:space-between;align-items:center;gap:.3rem .8rem;margin-bottom:.5rem;display:flex}.heads select{max-width:11rem;min-height:1.8rem}.heads .formula{color:var(--soft);margin-bottom:.4rem;font-size:.85rem;overflow-x:auto}.heads .grid{max-height:68vh;margin-inline:-4px;padding:4px;overflow:auto}.heads .layer{grid-template-columns:1.7rem repeat(var(--heads), minmax(.75rem, 4.5rem));align-items:center;gap:1px;margin-bottom:2px;display:grid}.heads .grid:not(.roomy) .layer{content-visibility:auto;contain-intrinsic-size:auto 2.2rem}.heads .place{font:.75rem var(--mono);color:var(--soft)}.heads .head{text-align:left;background:0 0;border:1px solid #0000;border-radius:.35rem;flex-direction:column;align-items:stretch;gap:.1rem;min-height:0;padding:1px;line-height:1.25;display:flex;overflow:hidden}.heads .head:hover{background:var(--link-tint)}.heads .head[aria-pressed=true]{border-color:var(--link);box-shadow:0 0 0 1px var(--link);background:var(--link-tint)}.heads .head:focus-visible{outline-offset:-2px}.heads .thumb{aspect-ratio:1;border-radius:.2rem;display:block;overflow:hidden}.heads .thumb canvas{width:100%;height:100%;image-rendering:pixelated;display:block}.heads .name{font:600 .75rem var(--mono)}.heads .value{color:var(--soft);font-variant-numeric:tabular-nums;overflow-wrap:anywhere;font-size:.7rem;font-weight:400}.heads .sorted{grid-template-columns:repeat(auto-fill,minmax(4.6rem,1fr));gap:4px;display:grid}.heads .told{font-variant-numeric:tabular-nums;min-height:1.5em;font-size:.88rem}.heads .note{font-size:.8rem}.map-tools{row-gap:.4rem}.map-tools .segments select{border-radius:0;margin-left:-1px}.map-tools .segments button{padding-inline:.55rem}.map-tools .field select{max-width:10rem}.asking{background:var(--paper);border:1px solid var(--line);border-radius:var(--round);flex-wrap:wrap;align-items:center;gap:.4rem .7rem;margin-bottom:.6rem;padding:.5rem .8rem;display:flex}.asking .count{color:var(--soft);font-size:.9rem}.hits{flex-wrap:wrap;flex-basis:100%;gap:.1rem .3rem;max-height:7rem;padding:0;list-style:none;display:flex;overflow:auto}.hits [aria-current=true],.top [aria-current=true],.census [aria-current=true]{background:var(--link-tint);font-weight:600}.map{height:min(74vh, 52rem, max(14rem, var(--above,4rem) + (var(--wide,40rem) - var(--beside,5rem)) * var(--queries-per-key,1)), max(14rem, var(--above,4rem) + var(--most,48rem)));font-family:var(--sans);position:relative}.map canvas{display:block;position:absolute}.map .over{touch-action:none;cursor:crosshair;inset:0}.map .mini{border:1px solid var(--edge);touch-action:none;cursor:grab;border-radius:.2rem;bottom:.6rem;right:.6rem;box-shadow:0 2px 10px #0005}.map-part:has(.reader :focus-visible) .map{outline:3px solid var(--link);outline-offset:3px}.under{min-height:1.6em;color:var(--soft);font-variant-numeric:tabular-nums;overflow-wrap:anywhere;flex-wrap:wrap;justify-content:space-between;gap:.2rem 1rem;margin-top:.2rem;font-size:.88rem;display:flex}.under strong{color:var(--ink)}.legend-of-map{color:var(--soft);flex-wrap:wrap;align-items:center;gap:.3rem .9rem;margin-bottom:.5rem;font-size:.85rem;display:flex}.legend-of-map.waiting{visibility:hidden;font-size:.85rem}.legend-of-map .scale{flex:12rem;max-width:24rem;height:2.3rem;position:relative}.legend-of-map .scale canvas{border:1px solid var(--line);width:100%;height:.9rem;image-rendering:pixelated;border-radius:.2rem;display:block}.legend-of-map .tick{white-space:nowrap;padding-top:.25rem;font-size:.78rem;line-height:1.2;position:absolute;top:.85rem;transform:translate(-50%)}.legend-of-map .tick:before{content:\"\" / \"\";border-left:1px solid var(--edge);height:.3rem;position:absolute;top:0;left:50%}.legend-of-map .tick[data-end=first]{transform:none}.legend-of-map .tick[data-end=first]:before{left:0}.legend-of-map .tick[data-end=last]{transform:translate(-100%)}.legend-of-map .tick[data-end=last]:before{left:100%}.legend-of-map .key{align-items:center;gap:.4rem;display:inline-flex}.legend-of-map .swatch{border:1px solid var(--line)}.legend-of-map .pooling{color:var(--ink)}.reader:not(.hidden){margin-top:.6rem}[role=grid]{border-spacing:0;font-variant-numeric:tabular-nums;font-size:.88rem;display:table}[role=row]{display:table-row}[role=row]>*{text-align:right;white-space:nowrap;border-bottom:1px solid var(--line);padding:.2rem .5rem;display:table-cell}[role=columnheader],[role=rowheader]{color:var(--soft);font-size:.85em}[role=gridcell][aria-selected=true]{outline:2px solid var(--link);outline-offset:-2px;background:var(--link-tint)}.row-strip{border-top:1px solid var(--line);margin-top:.8rem;padding-top:.7rem}.row-strip.stale{opacity:.7}.row-strip h2{overflow-wrap:anywhere;margin-bottom:.35rem;font-size:.98rem}.strip-of-row{border:1px solid var(--line);cursor:crosshair;border-radius:.25rem;height:1.5rem;position:relative}.strip-of-row canvas{width:100%;height:100%;image-rendering:pixelated;display:block}.strip-of-row .needle{border-left:2px solid var(--link);outline:1px solid var(--paper);pointer-events:none;position:absolute;top:-3px;bottom:-3px;transform:translate(-1px)}.row-strip.pending .row-more{visibility:hidden}.places{grid-template-columns:minmax(0,1fr);display:grid}.top{font-variant-numeric:tabular-nums;grid-area:1/1;grid-template-columns:repeat(auto-fill,minmax(min(10.5rem,50% - .25rem),1fr));grid-auto-rows:1.75rem;align-content:start;align-items:center;gap:.1rem .5rem;margin:.45rem 0 0;padding:0;font-size:.92rem;list-style:none;display:grid}.top li{white-space:nowrap;min-width:0}.top .whole{grid-column:1/-1}.top .link{max-width:calc(100% + .3rem);font-size:inherit;align-items:baseline;gap:.35em;margin-inline:-.15rem;padding-inline:.15rem;display:flex}.top .key{color:var(--soft);font-size:.85em}.top bdi{text-overflow:ellipsis;min-width:0;overflow:hidden}.top .rest,.top .sum{padding-block:.1rem}.top .sum{border-left:2px solid var(--edge);margin-left:.4rem;padding-left:.6rem}.row-more>summary{min-height:1.8rem;color:var(--soft);background:0 0;border:0;padding:0;font-size:.88rem}.where-of-map{color:var(--soft);overflow-wrap:anywhere;font-size:.92rem}.rank{font-size:.92rem;font-weight:600}.part{margin-top:1rem}.census{max-height:26rem;font-size:.92rem;overflow:auto}.page .census :is(th,td){border-bottom:1px solid var(--line);padding-block:.1rem}.census [data-here]{background:var(--link-tint)}.way{flex-wrap:wrap;gap:.3rem 0;margin:.5rem -4px;padding:4px;list-style:none;display:flex}.way li{align-items:center;max-width:100%;display:flex}.way li:not(:first-child):before{content:\"\" / \"\";border-top:2px solid var(--line);width:.8rem}.way button{border-color:var(--line);text-align:left;border-radius:1.2rem}.way [aria-current=step]{background:var(--link);border-color:var(--link);color:var(--on-link)}.stage-html{overflow-wrap:anywhere;font-size:.92rem;overflow-x:auto}.stage-html p{margin:.3rem 0}.run{margin-bottom:1rem}.run progress{max-width:22rem;accent-color:var(--link);flex:10rem}@media (width<=72rem){.model{grid-template-columns:minmax(0,1fr) minmax(19rem,23rem)}.model>.heads{grid-column:1/-1}.model>.heads .grid{max-height:15rem}}@media (width<=62rem){.model,.model.single{grid-template-columns:minmax(0,1fr)}.model>.heads{order:3}.model>.heads .grid{max-height:24rem}.model>.map-part{order:1}.model>.panel:has(>.waiting){min-height:60vh}.model>.panel{max-height:none;box-shadow:none;border-radius:.9rem;order:2;margin-inline:0;position:static}}@media (width<=40rem){.map-part,.heads,.part{border-radius:.7rem;padding:.6rem .5rem .8rem}.map{height:min(58vh, max(14rem, var(--above,4rem) + (var(--wide,40rem) - var(--beside,5rem)) * var(--queries-per-key,1)))}.map-tools .field>span{font-size:.8rem}.top{font-size:.82rem}.way{flex-wrap:nowrap;overflow-x:auto}.way li{flex:none}}.model .derivation :is(td,th){overflow-wrap:anywhere;padding-inline:0 .5rem}.model .derivation td{vertical-align:top}.model .derivation td:has(>.link){overflow-wrap:break-word}.model .derivation table{font-size:.85rem}.model .derivation td code{font-size:.95em}.over-time{margin-block:.8rem}.over-time summary{cursor:pointer;font-weight:700}.over-time .moment{gap:.3rem;margin-top:.6rem;display:grid}.over-time input{width:100%;min-height:1.75rem;accent-color:var(--link)}.over-time .now strong{font-size:1.15rem}.over-time img{background:#fff;border-radius:.5rem;width:100%;height:auto;margin-block:.4rem;display:block}", Ai = ".panel{background:var(--paper);border:1px solid var(--line);border-radius:.9rem;max-height:calc(100vh - 2rem);padding:1rem 1.25rem;position:sticky;top:1rem;overflow:auto}.panel.stale{opacity:.7}.panel>header{border-bottom:1px solid var(--line);flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:.3rem 1rem;margin-bottom:.6rem;padding-bottom:.6rem;display:flex}.panel h2{flex-wrap:wrap;align-items:baseline;gap:.15rem .45rem;display:flex}.panel h2 strong{font-variant-numeric:tabular-nums}.panel .equals{color:var(--soft)}.holds{color:var(--good);flex:none;font-size:.85rem}.holds.rounded{color:var(--soft)}.derivation p,.hint p{margin:.4rem 0}.derivation h3,.derivation h2{margin:.8rem 0 .2rem;font-size:.95rem}.derivation .equations{background:var(--ground);border-radius:.6rem;margin-inline:-.2rem;padding:.5rem .8rem}.derivation .equation .about{display:block}.derivation .equation+.equation .chain{flex-direction:column;align-items:flex-start;gap:.4rem;display:flex}.derivation>p:first-of-type{color:var(--soft);font-size:.92rem}.derivation .link{min-height:0;font-size:inherit;padding:0;display:inline}.derivation table{font-size:.92rem}.derivation td,.derivation th{border-bottom:1px solid var(--line);padding-inline:0 .9rem}.derivation [data-term]{border-radius:.2rem}.derivation [data-term]:hover{background:var(--uses-tint)}.hint{border-left:4px solid var(--link);background:var(--link-tint);border-radius:0 var(--round) var(--round) 0;margin:.6rem 0;padding:.6rem .9rem}.pairs{flex-wrap:wrap;gap:.2rem .5rem;margin:.5rem 0;padding:0;list-style:none;display:flex}.pairs .link{border:1px dashed var(--uses);color:var(--ink);border-radius:1rem;padding:.05rem .6rem .05rem .15rem;font-size:.88rem}.pairs .lit .link{background:var(--uses-tint);border-style:solid}.pairs .number{text-align:center;background:var(--uses);min-width:1.35rem;color:var(--paper);border-radius:1rem;margin-right:.35rem;font-size:.78rem;font-weight:700;line-height:1.35rem;display:inline-block}.facts{overflow-wrap:anywhere;font-size:.9rem}.facts span{color:var(--soft)}.links{margin-top:.7rem}.links h3{color:var(--soft);align-items:center;gap:.5rem;font-size:.88rem;font-weight:600;display:flex}.links .swatch{width:1.1rem;height:.85rem}.links ul{flex-wrap:wrap;gap:.05rem .2rem;max-height:9rem;padding:0;list-style:none;display:flex;overflow:auto}.actions{flex-wrap:wrap;gap:.35rem;margin-top:.8rem;display:flex}.quiz .score{font-weight:600}.quiz progress{width:100%;accent-color:var(--good)}.question{text-align:center;grid-template-columns:auto 1fr auto;align-items:center;gap:.6rem;margin:.6rem 0;font-size:1.1rem;display:grid}.question button{font-size:.75rem}.why{margin-top:.6rem}.why .derivation>p:first-child{display:none}.verdict{border-radius:var(--round);padding:.3rem .7rem;font-weight:600}.verdict.right{color:var(--good);background:var(--good-tint)}.verdict.wrong{color:var(--bad);background:var(--bad-tint)}.again{border-top:1px solid var(--line);flex-wrap:wrap;align-items:center;gap:.5rem .8rem;margin-top:1rem;padding-top:.8rem;display:flex}.again input{width:5.2rem}.fold{display:none}@media (width<=62rem){.panel>header{flex-wrap:nowrap;align-items:center}.panel>header>:first-child{margin-right:auto}.panel .fold{flex:none;display:block}.panel.folded{max-height:4.2rem;overflow:hidden}.panel{z-index:10;border-radius:.9rem .9rem 0 0;max-height:38vh;margin-inline:-.5rem;padding:.8rem 1rem;position:sticky;top:auto;bottom:0;box-shadow:0 -6px 24px #0003}}", ji = ".bar{background:var(--paper);border-bottom:1px solid var(--line);flex-wrap:wrap;align-items:center;gap:.4rem 1.25rem;padding:.55rem 1.5rem;display:flex}.brand{letter-spacing:-.01em;color:var(--ink);align-items:center;gap:.5rem;font-size:1.1rem;font-weight:700;text-decoration:none;display:inline-flex}.brand svg{fill:var(--link)}.brand .half{opacity:.6}.brand .faint{opacity:.35}.routes{gap:.15rem;display:flex}.routes a{border-radius:var(--round);color:var(--soft);padding:.3rem .75rem;text-decoration:none}.routes a:hover{background:var(--shade);color:var(--ink)}.routes a[aria-current=page]{color:var(--link);background:var(--link-tint);font-weight:600}.tools{flex-wrap:wrap;align-items:center;gap:.15rem;margin-left:auto;display:flex}.menu{position:relative}.menu>summary{background:0 0;border-color:#0000}.menu>summary:hover,.menu[open]>summary{background:var(--link-tint)}.sheet{z-index:20;background:var(--paper);border:1px solid var(--line);border-radius:.75rem;flex-direction:column;gap:.7rem;width:max-content;min-width:14rem;max-width:min(20rem,100vw - 2rem);padding:.8rem;display:flex;position:absolute;top:calc(100% + .35rem);right:0;box-shadow:0 10px 30px #0003}.sheet .item{text-align:left;border:0;width:100%}.sheet .item:hover{background:var(--link-tint)}.sheet:has(>.item:first-child){gap:0;padding:.4rem}.page{max-width:88rem;margin:0 auto;padding:1.25rem 1.5rem 3rem}.page:focus{outline:none}.page.empty,.empty{padding-block:3rem}.empty h1{margin-bottom:.5rem}.title{flex-wrap:wrap;align-items:baseline;gap:.4rem 1rem;margin-bottom:.4rem;display:flex}.help{width:min(40rem,100vw - 2rem);max-height:calc(100vh - 2rem);color:var(--ink);background:var(--paper);border:1px solid var(--line);border-radius:.9rem;padding:1.25rem 1.5rem;box-shadow:0 20px 60px #0006}.help::backdrop{background:#0007}.help header{justify-content:space-between;align-items:center;display:flex}.help .keys{border-collapse:collapse;width:100%;margin:.75rem 0;font-size:.92rem}.help caption{text-align:left;color:var(--ink);padding:.25rem 0;font-weight:600}.help th,.help td{text-align:left;border-bottom:1px solid var(--line);vertical-align:top;padding:.28rem .5rem .28rem 0;font-weight:400}.help th{width:11rem}.help h3{margin:.75rem 0 .4rem}.help .or{color:var(--soft)}kbd{text-align:center;border:1px solid var(--edge);background:var(--shade);border-bottom-width:2px;border-radius:.3rem;min-width:1.6em;margin-right:.15em;padding:0 .4em;font-size:.85em;line-height:1.6;display:inline-block}.legend{gap:.4rem;margin-bottom:.9rem;padding:0;font-size:.92rem;list-style:none;display:grid}.legend li{align-items:center;gap:.6rem;display:flex}@media (width<=62rem){.bar{gap:.3rem .75rem;padding-inline:1rem}.routes a,.tools button,.tools summary{padding-inline:.5rem}.page{padding-inline:1rem}}@media (width<=40rem){.bar{gap:.3rem .5rem;padding:.5rem .75rem}.brand{gap:.35rem;font-size:1rem}.page{padding:.9rem .75rem 2rem}.tools{justify-content:space-between;width:100%;margin-left:0}.routes{margin-left:auto}.routes a{padding:.3rem .45rem;font-size:.92rem}.tools button,.tools summary{padding-inline:.35rem;font-size:.88rem}.menu{position:static}.sheet{width:auto;max-width:none;top:auto;left:.75rem;right:.75rem}.help{padding:1rem}.help th{width:8rem}}", Mi = ":host{display:block}.widget{border:1px solid var(--line);background:var(--ground);border-radius:.9rem;overflow:clip;container-type:inline-size}.asleep{color:var(--soft);padding:.75rem 1rem}.asleep:not(.sure){animation:0s 3s both asleep}@keyframes asleep{0%{visibility:hidden}}@container (width<=62rem){.work>.panel:not(.folded){max-height:min(38vh,15rem)}}";
// node_modules/svelte/src/internal/disclose-version.js
typeof window < "u" && ((window.__svelte ??= {}).v ??= /* @__PURE__ */ new Set()).add("5");
// src/lib/markup.ts
var Ni = /* @__PURE__ */ new WeakMap();
function Pi(e) {
	let t = Ni.get(e);
	return t === void 0 && (t = Fi(e.html), Ni.set(e, t)), t;
}
function Fi(e) {
	let t = document.createElement("template");
	t.innerHTML = e;
	let n = /* @__PURE__ */ new Map(), r = [], i = [], a = /* @__PURE__ */ new Set();
	for (let e of t.content.childNodes) {
		let t = e instanceof Element ? Ii(e) : [];
		for (let e of t) {
			let t = e.dataset.array ?? "";
			n.has(t) || n.set(t, e.outerHTML);
			for (let t of e.querySelectorAll("td[data-cell]")) a.add(t.dataset.cell ?? "");
		}
		t.length === 0 && (n.size === 0 ? r : i).push(Li(e));
	}
	return {
		before: r.join(""),
		matrices: n,
		after: i.join(""),
		cells: [...a]
	};
}
function Ii(e) {
	let t = [...e.querySelectorAll("table[data-array]")];
	return e.matches("table[data-array]") ? [e, ...t] : t;
}
function Li(e) {
	return e instanceof Element ? e.outerHTML : (e.textContent ?? "").replace(/[&<>]/g, (e) => `&#${e.charCodeAt(0)};`);
}
var Ri = "http://www.w3.org/1998/Math/MathML", zi = /* @__PURE__ */ new Set([
	"+",
	"−",
	"-"
]), Bi = /* @__PURE__ */ new Set(["=", "≈"]);
function Vi(e, t) {
	for (let n of e.querySelectorAll(".equation .chain")) for (let e of Ui(n)) {
		let n = qi(e);
		if (n !== null && n.length === t) return n.forEach((e, t) => Hi(e, t + 1)), !0;
	}
	return !1;
}
function Hi(e, t) {
	let n = document.createElementNS(Ri, "mrow");
	n.setAttribute("data-term", String(t)), e[0]?.before(n), n.append(...e);
}
function Ui(e) {
	let t = [[]];
	for (let n of e.querySelectorAll("math")) for (let e of n.children) e.localName === "mo" && Bi.has(e.textContent ?? "") ? t.push([]) : t.at(-1)?.push(...e.localName === "mrow" && !Wi(e) ? [e] : Gi(e));
	return t;
}
function Wi(e) {
	return [...e.children].some(Ki);
}
function Gi(e) {
	return e.localName === "mrow" ? [...e.children] : [e];
}
function Ki(e) {
	return e.localName === "mo" && zi.has(e.textContent ?? "") && e.getAttribute("form") !== "prefix";
}
function qi(e) {
	let t = [[]];
	for (let n of e) {
		let e = t.at(-1);
		Ki(n) ? e !== void 0 && e.length > 0 && t.push([]) : e?.push(n);
	}
	return t.every((e) => e.some((e) => (e.textContent ?? "").includes("×"))) ? t : null;
}
function Ji(e, t) {
	for (let n of e.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
		if (n.localName === `h${t}`) continue;
		let e = document.createElement(`h${t}`);
		e.append(...n.childNodes), n.replaceWith(e);
	}
}
function Yi(e, t) {
	let n = /* @__PURE__ */ new Set();
	for (let r of e.querySelectorAll("code")) {
		let e = r.textContent ?? "";
		if (!t.has(e) || r.closest("button, a") !== null) continue;
		let i = document.createElement("button");
		i.type = "button", i.className = "link", i.dataset.to = e, r.replaceWith(i), i.append(r), r.replaceChildren(...Xi(e)), n.add(e);
	}
	return n;
}
function Xi(e) {
	return e.split(/(?<=\.)|(?=\[)/).flatMap((e, t) => t === 0 ? [e] : [document.createElement("wbr"), e]);
}
// src/example/AllSteps.svelte
var Zi = /* @__PURE__ */ K("<div class=\"wide\"></div>"), Qi = /* @__PURE__ */ K("<div class=\"before\"></div> <!>", 1), $i = /* @__PURE__ */ K("<section class=\"one\"><h2></h2> <!></section>"), ea = /* @__PURE__ */ K("<div class=\"all\" role=\"group\"></div>");
function ta(e, t) {
	A(t, !0);
	var n = ea();
	X(n, 23, () => t.example.steps, (e) => e.address, (e, n, r) => {
		var i = $i(), a = I(i);
		Z(a, () => U(n).title, !0), k(a);
		var o = z(a, 2), s = (e) => {
			var t = Qi(), r = L(t);
			Z(r, () => Pi(U(n)).before, !0), k(r), X(z(r, 2), 17, () => [...Pi(U(n)).matrices], ([e, t]) => e, (e, t) => {
				var n = /* @__PURE__ */ M(() => m(U(t), 2));
				let r = () => U(n)[1];
				var i = Zi();
				Z(i, r, !0), k(i), q(e, i);
			}), q(e, t);
		}, c = (e) => {
			var t = Or();
			Z(L(t), () => U(n).html), q(e, t);
		};
		Y(o, (e) => {
			t.example.quiz.on ? e(s) : e(c, -1);
		}), k(i), B(() => Q(i, "id", `step-${U(r) ?? ""}`)), q(e, i);
	}), k(n), B((e) => Q(n, "aria-label", e), [() => t.app.say("web.steps")]), q(e, n), j();
}
// src/example/Badge.svelte
var na = /* @__PURE__ */ K("<span class=\"waiting\"> </span>"), ra = /* @__PURE__ */ K("<span aria-hidden=\"true\"> </span> ", 1), ia = /* @__PURE__ */ K(" <button class=\"link\"><code> </code></button>", 1), aa = /* @__PURE__ */ K("<span> </span>"), oa = /* @__PURE__ */ K("<p><!> <!> <!></p>");
function sa(e, t) {
	A(t, !0);
	let n = /* @__PURE__ */ M(() => t.example.proof.found), r = /* @__PURE__ */ M(() => U(n) !== null && U(n).hold === U(n).equalities), i = /* @__PURE__ */ M(() => U(n)?.failures ?? []);
	var a = oa();
	let o;
	var s = I(a), c = (e) => {
		var n = na(), r = R(n, !0);
		B((e) => J(r, e), [() => t.app.say("web.proof.waiting")]), q(e, n);
	}, l = (e) => {
		var t = ra(), i = L(t), a = R(i, !0), o = z(i);
		B(() => {
			J(a, U(r) ? "✓" : "✗"), J(o, ` ${U(n).message ?? ""}`);
		}), q(e, t);
	};
	Y(s, (e) => {
		U(n) === null ? e(c) : e(l, -1);
	});
	var u = z(s, 2);
	X(u, 16, () => U(i).slice(0, 12), (e) => e, (e, n) => {
		Ee();
		var r = ia(), i = L(r, !0);
		i.nodeValue = " ";
		var a = z(i), o = R(I(a), !0);
		k(a), B(() => J(o, n)), W("click", a, () => t.example.follow(n)), q(e, r);
	});
	var d = z(u, 2), f = (e) => {
		var n = aa(), r = R(n, !0);
		B((e) => J(r, e), [() => t.app.say("web.more", { n: U(i).length - 12 })]), q(e, n);
	};
	Y(d, (e) => {
		U(i).length > 12 && e(f);
	}), k(a), B(() => {
		o = ei(a, 1, "badge", null, o, {
			good: U(r),
			bad: U(n) !== null && !U(r)
		}), Q(a, "role", U(n) !== null && !U(r) ? "alert" : void 0);
	}), q(e, a), j();
}
G(["click"]);
// src/lib/copy.ts
async function ca(e, t) {
	try {
		await navigator.clipboard.writeText(t), e.tell(e.say("web.copied"));
	} catch {
		e.tell(e.say("web.copy.by-hand"));
	}
}
// src/parts/regions.ts
function la(e, t) {
	for (let n of e.querySelectorAll("[role=\"region\"][aria-label]")) n.setAttribute("aria-label", `${t}: ${n.getAttribute("aria-label") ?? ""}`);
}
// src/parts/Derivation.svelte
var ua = /* @__PURE__ */ K("<div class=\"derivation\"></div>");
function da(e, t) {
	A(t, !0);
	let n = Ti(t, "point", 3, () => void 0), r = Ti(t, "linked", 31, () => Jt(/* @__PURE__ */ new Set())), i = (e) => {
		Ji(e, 3), la(e, t.cell.address), t.cell.pairs.length > 1 && Vi(e, t.cell.pairs.length), r(Yi(e, /* @__PURE__ */ new Set([...t.cell.uses, ...t.cell.used_by]))), e.prepend(...e.querySelectorAll(":scope > .equations"));
		let n = new AbortController(), { signal: i } = n, s = (e) => e.target instanceof Element ? e.target.closest("[data-term]") : null;
		return e.addEventListener("pointerover", (e) => a(s(e)), { signal: i }), e.addEventListener("pointerleave", () => a(null), { signal: i }), e.addEventListener("click", (e) => o(e), { signal: i }), () => n.abort();
	};
	function a(e) {
		n()(e === null ? null : Number(e.getAttribute("data-term")));
	}
	function o(e) {
		let n = e.target instanceof Element ? e.target.closest("[data-to]")?.dataset.to : void 0;
		n !== void 0 && t.follow(n);
	}
	var s = Or();
	Br(L(s), () => t.cell, (e) => {
		var n = ua();
		Z(n, () => t.cell.html, !0), k(n), Zr(n, () => i), q(e, n);
	}), q(e, s), j();
}
// src/parts/Links.svelte
var fa = /* @__PURE__ */ K("<li><button class=\"link\"><code> </code></button></li>"), pa = /* @__PURE__ */ K("<li><button class=\"link\"> </button></li>"), ma = /* @__PURE__ */ K("<div class=\"links\"><h3><span></span> </h3> <ul><!> <!></ul></div>");
function ha(e, t) {
	A(t, !0);
	let n = /* @__PURE__ */ P(!1), r = /* @__PURE__ */ M(() => U(n) ? t.addresses : t.addresses.slice(0, 24));
	var i = Or(), a = L(i), o = (e) => {
		var i = ma(), a = I(i), o = I(a), s = z(o, 1, !0);
		k(a);
		var c = z(a, 2), l = I(c);
		X(l, 16, () => U(r), (e) => e, (e, n) => {
			var r = fa(), i = I(r), a = R(I(i), !0);
			k(i), k(r), B(() => J(a, n)), W("click", i, () => t.follow(n)), q(e, r);
		});
		var u = z(l, 2), d = (e) => {
			var i = pa(), a = I(i), o = R(a, !0);
			k(i), B((e) => J(o, e), [() => t.app.say("web.more", { n: t.addresses.length - U(r).length })]), W("click", a, () => F(n, !0)), q(e, i);
		};
		Y(u, (e) => {
			U(r).length < t.addresses.length && e(d);
		}), k(c), k(i), B(() => {
			ei(o, 1, `swatch ${t.kind ?? ""}`), J(s, t.label);
		}), q(e, i);
	};
	Y(a, (e) => {
		t.addresses.length > 0 && e(o);
	}), q(e, i), j();
}
G(["click"]);
// src/example/CellPanel.svelte
var ga = /* @__PURE__ */ K("<p class=\"waiting\"> </p>"), _a = /* @__PURE__ */ K("<span class=\"equals\"> </span><strong> </strong>", 1), va = /* @__PURE__ */ K("<span> </span>"), ya = /* @__PURE__ */ K("<div class=\"hint\"><h3> </h3><!></div>"), ba = /* @__PURE__ */ K("<p class=\"actions\"><button class=\"primary\"> </button></p>"), xa = /* @__PURE__ */ K("<li><button class=\"link\"><span class=\"number\"></span><code> </code> × <code> </code></button></li>"), Sa = /* @__PURE__ */ K("<p class=\"note\"> </p>"), Ca = /* @__PURE__ */ K("<ol class=\"pairs\"></ol> <!>", 1), wa = /* @__PURE__ */ K("<p class=\"facts\"><span> </span> <code> </code></p>"), Ta = /* @__PURE__ */ K("<!> <!> <!> <!> <!>", 1), Ea = /* @__PURE__ */ K("<p class=\"actions\"><button class=\"quiet\"> </button> <button class=\"quiet\"> </button> <button class=\"quiet\"> </button></p>"), Da = /* @__PURE__ */ K("<header><h2><code> </code><!></h2> <!> <button class=\"round fold\"> </button></header> <!> <!> <!> <!> <!>", 1), Oa = /* @__PURE__ */ K("<section tabindex=\"0\"><!></section>");
function ka(e, t) {
	A(t, !0);
	let n = Ti(t, "app", 7), r = Ti(t, "example", 7), i = /* @__PURE__ */ M(() => n().say), a = /* @__PURE__ */ M(() => r().look.cell), o = /* @__PURE__ */ M(() => U(a) !== null && r().isCovered(U(a).address)), s = /* @__PURE__ */ M(() => U(a) !== null && U(a).address !== r().look.shown), c = /* @__PURE__ */ P(/* @__PURE__ */ new Set()), l = (e) => e.filter((e) => !U(c).has(e)), u = (e) => void r().follow(e);
	var d = Oa();
	let f;
	var p = I(d), m = (e) => {
		var t = ga(), n = R(t, !0);
		B((e) => J(n, e), [() => U(i)("web.panel.empty")]), q(e, t);
	}, h = (e) => {
		var t = Da(), s = L(t), d = I(s), f = I(d), p = R(f, !0), m = z(f), h = (e) => {
			var t = _a(), n = L(t), r = R(n, !0), i = R(z(n), !0);
			B(() => {
				J(r, U(a).holds === "exact" ? "=" : "≈"), J(i, U(a).value);
			}), q(e, t);
		};
		Y(m, (e) => {
			U(o) || e(h);
		}), k(d);
		var g = z(d, 2), _ = (e) => {
			var t = va(), n = R(t);
			B((e) => {
				ei(t, 1, `holds ${U(a).holds ?? ""}`), J(n, `${U(a).holds === "exact" ? "✓" : "≈"} ${e ?? ""}`);
			}, [() => U(i)(`web.holds.${U(a).holds}`)]), q(e, t);
		};
		Y(g, (e) => {
			U(o) || e(_);
		});
		var v = z(g, 2), y = R(v, !0);
		k(s);
		var b = z(s, 2), x = (e) => {
			var t = ya(), n = I(t), r = R(n, !0);
			Z(z(n), () => U(a).hint), k(t), B((e) => J(r, e), [() => U(i)("web.hint")]), q(e, t);
		};
		Y(b, (e) => {
			(U(o) || r().look.hinted) && e(x);
		});
		var S = z(b, 2), C = (e) => {
			var t = ba(), n = I(t), a = R(n, !0);
			k(t), B((e) => J(a, e), [() => U(i)("web.reveal")]), W("click", n, () => r().reveal()), q(e, t);
		}, w = (e) => {
			var t = Ta(), n = L(t);
			da(n, {
				get cell() {
					return U(a);
				},
				follow: u,
				point: (e) => r().look.term = e,
				get linked() {
					return U(c);
				},
				set linked(e) {
					F(c, e);
				}
			});
			var o = z(n, 2), s = (e) => {
				var t = Ca(), n = L(t);
				X(n, 21, () => U(a).pairs.slice(0, 16), Vr, (e, t, n) => {
					var i = xa();
					let a;
					var o = I(i), s = I(o);
					s.textContent = n + 1;
					var c = z(s), l = R(c, !0), u = R(z(c, 2), !0);
					k(o), k(i), B(() => {
						a = ei(i, 1, "", null, a, { lit: r().look.term === n + 1 }), J(l, U(t)[0]), J(u, U(t)[1]);
					}), _r("pointerenter", o, () => r().look.term = n + 1), _r("pointerleave", o, () => r().look.term = null), _r("focus", o, () => r().look.term = n + 1), _r("blur", o, () => r().look.term = null), W("click", o, () => r().look.term = n + 1), q(e, i);
				}), k(n);
				var o = z(n, 2), s = (e) => {
					var t = Sa(), n = R(t, !0);
					B((e) => J(n, e), [() => U(i)("web.more", { n: U(a).pairs.length - 16 })]), q(e, t);
				};
				Y(o, (e) => {
					U(a).pairs.length > 16 && e(s);
				}), B((e) => Q(n, "aria-label", e), [() => U(i)("web.pairs")]), q(e, t);
			};
			Y(o, (e) => {
				U(a).pairs.length > 1 && e(s);
			});
			var l = z(o, 2), d = (e) => {
				var t = wa(), n = I(t), r = R(n, !0), o = R(z(n, 2), !0);
				k(t), B((e) => {
					J(r, e), J(o, U(a).exact);
				}, [() => U(i)("web.exact")]), q(e, t);
			}, f = /* @__PURE__ */ M(() => U(a).exact?.includes("/"));
			Y(l, (e) => {
				U(f) && e(d);
			});
			var p = z(l, 2), m = (e) => {
				var t = wa(), n = I(t), r = R(n, !0), o = R(z(n, 2), !0);
				k(t), B((e) => {
					J(r, e), J(o, U(a).digits);
				}, [() => U(i)("web.all-digits")]), q(e, t);
			}, h = /* @__PURE__ */ M(() => U(a).digits !== U(a).value && !U(a).html.includes(U(a).digits));
			Y(p, (e) => {
				U(h) && e(m);
			});
			var g = z(p, 2), _ = (e) => {
				var t = wa(), n = I(t), r = R(n, !0), o = R(z(n, 2), !0);
				k(t), B((e) => {
					J(r, e), J(o, U(a).written);
				}, [() => U(i)("web.written")]), q(e, t);
			};
			Y(g, (e) => {
				U(a).written !== null && U(a).written !== U(a).value && e(_);
			}), q(e, t);
		};
		Y(S, (e) => {
			U(o) ? e(C) : e(w, -1);
		});
		var T = z(S, 2);
		{
			let e = /* @__PURE__ */ M(() => U(i)("web.uses")), t = /* @__PURE__ */ M(() => U(o) ? U(a).uses : l(U(a).uses));
			ha(T, {
				get app() {
					return n();
				},
				follow: u,
				get label() {
					return U(e);
				},
				kind: "uses",
				get addresses() {
					return U(t);
				}
			});
		}
		var E = z(T, 2);
		{
			let e = /* @__PURE__ */ M(() => U(i)("web.used-by")), t = /* @__PURE__ */ M(() => U(o) ? U(a).used_by : l(U(a).used_by));
			ha(E, {
				get app() {
					return n();
				},
				follow: u,
				get label() {
					return U(e);
				},
				kind: "used-by",
				get addresses() {
					return U(t);
				}
			});
		}
		var ee = z(E, 2), te = (e) => {
			var t = Ea(), o = I(t), s = R(o, !0), c = z(o, 2), l = R(c, !0), u = z(c, 2), d = R(u, !0);
			k(t), B((e, t, n) => {
				Q(o, "aria-pressed", r().look.hinted), J(s, e), J(l, t), J(d, n);
			}, [
				() => U(i)("web.hint"),
				() => U(i)("web.copy.value"),
				() => U(i)("web.copy.spoken")
			]), W("click", o, () => r().look.hinted = !r().look.hinted), W("click", c, () => ca(n(), U(a).digits)), W("click", u, () => ca(n(), U(a).spoken)), q(e, t);
		};
		Y(ee, (e) => {
			U(o) || e(te);
		}), B((e) => {
			J(p, U(a).address), Q(v, "aria-expanded", !n().folded), Q(v, "aria-label", e), J(y, n().folded ? "▴" : "▾");
		}, [() => U(i)("web.panel.fold")]), W("click", v, () => n().folded = !n().folded), q(e, t);
	};
	Y(p, (e) => {
		U(a) === null ? e(m) : e(h, -1);
	}), k(d), B((e) => {
		f = ei(d, 1, "panel", null, f, {
			stale: U(s),
			folded: n().folded
		}), Q(d, "aria-label", e);
	}, [() => U(i)("web.panel")]), q(e, d), j();
}
G(["click"]);
// src/example/Changes.svelte
var Aa = /* @__PURE__ */ K("<button class=\"link change\"><code> </code> <strong> </strong></button>"), ja = /* @__PURE__ */ K("<button class=\"link\"> </button>"), Ma = /* @__PURE__ */ K("<section class=\"changes\"><p><span class=\"label\"><span class=\"swatch changed\"></span> </span> <!> <!></p></section>");
function Na(e, t) {
	A(t, !0);
	let n = /* @__PURE__ */ M(() => t.app.say), r = /* @__PURE__ */ P(!1), i = /* @__PURE__ */ M(() => U(r) ? t.example.changed : t.example.changed.slice(0, 10));
	var a = Or(), o = L(a), s = (e) => {
		var a = Ma(), o = I(a), s = I(o), c = z(I(s), 1, !0);
		k(s);
		var l = z(s, 2);
		X(l, 17, () => U(i), (e) => e.address, (e, n) => {
			var r = Aa(), i = I(r), a = R(i, !0), o = z(i), s = R(z(o), !0);
			k(r), B(() => {
				J(a, U(n).address), J(o, ` ${U(n).before ?? ""} → `), J(s, U(n).after);
			}), W("click", r, () => t.example.follow(U(n).address)), q(e, r);
		});
		var u = z(l, 2), d = (e) => {
			var a = ja(), o = R(a, !0);
			B((e) => J(o, e), [() => U(n)("web.more", { n: t.example.changed.length - U(i).length })]), W("click", a, () => F(r, !0)), q(e, a);
		};
		Y(u, (e) => {
			U(i).length < t.example.changed.length && e(d);
		}), k(o), k(a), B((e, t) => {
			Q(a, "aria-label", e), J(c, t);
		}, [() => U(n)("web.changes"), () => U(n)("web.changed", { n: t.example.changed.length })]), q(e, a);
	};
	Y(o, (e) => {
		t.example.changed.length > 0 && e(s);
	}), q(e, a), j();
}
G(["click"]);
// src/example/Token.svelte
var Pa = /* @__PURE__ */ K("<input/>"), Fa = /* @__PURE__ */ K("<button class=\"remove\">×</button>"), Ia = /* @__PURE__ */ K("<button class=\"name\"><bdi> </bdi></button> <!>", 1), La = /* @__PURE__ */ K("<span class=\"token\"><!></span>");
function Ra(e, t) {
	A(t, !0);
	let n = /* @__PURE__ */ P(null), r = /* @__PURE__ */ P(void 0), i = /* @__PURE__ */ P(void 0);
	async function a() {
		F(n, t.token, !0), await sr(), U(r)?.select();
	}
	async function o(e) {
		let r = U(n);
		r !== null && (!e || r === t.token || r === "" || await t.rename(r)) && (F(n, null), await sr(), U(i)?.focus());
	}
	function s(e) {
		if (e.key === "Enter") o(!0);
		else if (e.key === "Escape") o(!1);
		else return;
		e.preventDefault();
	}
	var c = La(), l = I(c), u = (e) => {
		var i = Pa();
		di(i), xi(i, (e) => F(r, e), () => U(r)), B((e, t) => {
			Q(i, "size", e), Q(i, "aria-label", t);
		}, [() => Math.max(4, t.token.length + 1), () => t.app.say("web.tokens.rename", { token: t.token })]), W("keydown", i, s), _r("blur", i, () => F(n, null)), _i(i, () => U(n), (e) => F(n, e)), q(e, i);
	}, d = (e) => {
		var n = Ia(), r = L(n), o = R(I(r), !0);
		k(r), xi(r, (e) => F(i, e), () => U(i));
		var s = z(r, 2), c = (e) => {
			var n = Fa();
			B((e, t) => {
				Q(n, "aria-label", e), Q(n, "title", t);
			}, [() => t.app.say("web.tokens.remove", { token: t.token }), () => t.app.say("web.tokens.remove", { token: t.token })]), W("click", n, function(...e) {
				t.remove?.apply(this, e);
			}), q(e, n);
		};
		Y(s, (e) => {
			t.remove !== null && !t.locked && e(c);
		}), B((e) => {
			r.disabled = t.locked, Q(r, "title", e), J(o, t.token);
		}, [() => t.app.say("web.tokens.rename", { token: t.token })]), W("click", r, a), q(e, n);
	};
	Y(l, (e) => {
		U(n) === null ? e(d, -1) : e(u);
	}), k(c), q(e, c), j();
}
G(["keydown", "click"]);
// src/example/Given.svelte
var za = /* @__PURE__ */ K("<option> </option>"), Ba = /* @__PURE__ */ K("<form class=\"add\"><input size=\"6\"/> <button>+</button></form>"), Va = /* @__PURE__ */ K("<p class=\"problem\" role=\"alert\"> </p>"), Ha = /* @__PURE__ */ K("<select></select>"), Ua = /* @__PURE__ */ K("<input size=\"8\"/>"), Wa = /* @__PURE__ */ K("<div class=\"field\"><label> </label> <!> <!></div>"), Ga = /* @__PURE__ */ K("<details class=\"options\"><summary> </summary> <div class=\"choices\"></div></details>"), Ka = /* @__PURE__ */ K("<section class=\"setup\"><label class=\"field inline\"><span> </span> <select><!><!></select></label> <div class=\"tokens\" role=\"group\"><span class=\"label\" aria-hidden=\"true\"> </span> <!> <!> <!></div> <!></section>");
function qa(e, t) {
	A(t, !0);
	let n = /* @__PURE__ */ M(() => t.app.say), r = /* @__PURE__ */ M(() => t.example.page), i = /* @__PURE__ */ M(() => t.example.quiz.on), a = /* @__PURE__ */ P(""), o = /* @__PURE__ */ P(null);
	async function s(e, n) {
		let r = await t.example.edit(n);
		return F(o, r === null ? null : {
			at: e,
			text: r
		}), r === null;
	}
	async function c(e) {
		e.preventDefault(), U(a) !== "" && await s("tokens", { add_token: U(a) }) && F(a, "");
	}
	var l = Or(), u = L(l), d = (e) => {
		var l = Ka(), u = I(l), d = I(u), f = R(d, !0), p = z(d, 2), m = I(p), h = (e) => {
			var t = za(), i = R(t, !0), a = {};
			B((e) => {
				J(i, e), a !== (a = U(r).name) && (t.value = (t.__value = a) ?? "");
			}, [() => U(r).name === "" ? U(n)("web.example.edited") : U(r).name]), q(e, t);
		}, g = /* @__PURE__ */ M(() => !t.example.names.some((e) => e.name === U(r).name));
		Y(m, (e) => {
			U(g) && e(h);
		}), X(z(m), 17, () => t.example.names, (e) => e.name, (e, t) => {
			var n = za(), r = R(n, !0), i = {};
			B(() => {
				J(r, U(t).title), i !== (i = U(t).name) && (n.value = (n.__value = i) ?? "");
			}), q(e, n);
		}), k(p);
		var _;
		ii(p), k(u);
		var v = z(u, 2), y = I(v), b = R(y, !0), x = z(y, 2);
		X(x, 17, () => U(r).tokens, Vr, (e, n, a) => {
			{
				let o = /* @__PURE__ */ M(() => U(r).tokens.length > 1 ? () => s("tokens", { remove_token: a }) : null);
				Ra(e, {
					get app() {
						return t.app;
					},
					get token() {
						return U(n);
					},
					get locked() {
						return U(i);
					},
					rename: (e) => s("tokens", {
						rename_token: a,
						to: e
					}),
					get remove() {
						return U(o);
					}
				});
			}
		});
		var S = z(x, 2), C = (e) => {
			var t = Ba(), r = I(t);
			di(r);
			var i = z(r, 2);
			k(t), B((e, t, n, a) => {
				Q(r, "aria-label", e), Q(r, "placeholder", t), Q(i, "aria-label", n), Q(i, "title", a);
			}, [
				() => U(n)("web.tokens.new"),
				() => U(n)("web.tokens.new"),
				() => U(n)("web.tokens.add"),
				() => U(n)("web.tokens.add")
			]), _r("submit", t, c), _i(r, () => U(a), (e) => F(a, e)), q(e, t);
		};
		Y(S, (e) => {
			U(i) || e(C);
		});
		var w = z(S, 2), T = (e) => {
			var t = Va(), n = R(t, !0);
			B(() => J(n, U(o).text)), q(e, t);
		};
		Y(w, (e) => {
			U(o)?.at === "tokens" && e(T);
		}), k(v);
		var E = z(v, 2), ee = (e) => {
			var t = Ga(), a = I(t), c = R(a, !0), l = z(a, 2);
			X(l, 21, () => U(r).options, (e) => e.name, (e, t) => {
				let n = /* @__PURE__ */ M(() => `option-${U(t).name}`), r = /* @__PURE__ */ M(() => U(o)?.at === U(t).name ? U(o).text : null);
				var a = Wa(), c = I(a), l = R(c, !0), u = z(c, 2), d = (e) => {
					var r = Ha();
					X(r, 20, () => U(t).choices, (e) => e, (e, t) => {
						var n = za(), r = R(n, !0), i = {};
						B(() => {
							J(r, t), i !== (i = t) && (n.value = (n.__value = i) ?? "");
						}), q(e, n);
					}), k(r);
					var a;
					ii(r), B(() => {
						Q(r, "id", U(n)), r.disabled = U(i), a !== (a = U(t).value) && (r.value = (r.__value = a) ?? "", ri(r, a));
					}), W("change", r, async (e) => {
						let n = e.currentTarget;
						await s(U(t).name, {
							option: U(t).name,
							to: n.value
						}) || (n.value = U(t).value);
					}), q(e, r);
				}, f = (e) => {
					var a = Ua();
					di(a), B(() => {
						Q(a, "id", U(n)), fi(a, U(t).value), a.disabled = U(i), Q(a, "aria-invalid", U(r) !== null);
					}), W("change", a, (e) => s(U(t).name, {
						option: U(t).name,
						to: e.currentTarget.value
					})), q(e, a);
				};
				Y(u, (e) => {
					U(t).choices === null ? e(f, -1) : e(d);
				});
				var p = z(u, 2), m = (e) => {
					var t = Va(), n = R(t, !0);
					B(() => J(n, U(r))), q(e, t);
				};
				Y(p, (e) => {
					U(r) !== null && e(m);
				}), k(a), B(() => {
					Q(c, "for", U(n)), J(l, U(t).label);
				}), q(e, a);
			}), k(l), k(t), B((e) => J(c, e), [() => U(n)("web.options")]), q(e, t);
		};
		Y(E, (e) => {
			U(r).options.length > 0 && e(ee);
		}), k(l), B((e, t, n, i) => {
			Q(l, "aria-label", e), J(f, t), _ !== (_ = U(r).name) && (p.value = (p.__value = _) ?? "", ri(p, _)), Q(v, "aria-label", n), J(b, i);
		}, [
			() => U(n)("web.given"),
			() => U(n)("web.example"),
			() => U(n)("web.tokens"),
			() => U(n)("web.tokens")
		]), W("change", p, (e) => t.example.open(e.currentTarget.value)), q(e, l);
	};
	Y(u, (e) => {
		U(r) !== null && e(d);
	}), q(e, l), j();
}
G(["change"]);
// src/example/QuizPanel.svelte
var Ja = /* @__PURE__ */ K("<p class=\"verdict right\"><span aria-hidden=\"true\">✓</span> </p>"), Ya = /* @__PURE__ */ K("<strong> </strong>"), Xa = /* @__PURE__ */ K("<p class=\"note\"> </p>"), Za = /* @__PURE__ */ K("<strong> </strong> ", 1), Qa = /* @__PURE__ */ K("<details class=\"why\"><summary> </summary> <div class=\"derivation\"></div></details>"), $a = /* @__PURE__ */ K("<p><span aria-hidden=\"true\"> </span> <!></p> <!>", 1), eo = /* @__PURE__ */ K("<div class=\"hint\"><h3> </h3><!></div>"), to = /* @__PURE__ */ K("<div class=\"question\"><button class=\"round\">◀</button> <p><strong> </strong> <code> </code> = <!></p> <button class=\"round\">▶</button></div> <!> <!> <!> <p class=\"actions\"><button> </button> <button> </button></p>", 1), no = /* @__PURE__ */ K("<section tabindex=\"0\"><header><h2> </h2> <p> </p> <button class=\"round fold\"> </button></header> <progress></progress> <!> <!> <form class=\"again\"><label class=\"field inline\"><span> </span><input name=\"seed\" type=\"number\" min=\"0\" max=\"999999999\"/></label> <label class=\"field inline\"><span> </span><input name=\"blanks\" type=\"number\" min=\"1\" max=\"200\"/></label> <button> </button> <button type=\"button\" class=\"quiet\"> </button></form></section>");
function ro(e, t) {
	A(t, !0);
	let n = Ti(t, "app", 7), r = /* @__PURE__ */ M(() => n().say), i = /* @__PURE__ */ M(() => t.example.quiz), a = /* @__PURE__ */ M(() => U(i).blank), o = /* @__PURE__ */ M(() => U(a) === null ? void 0 : U(i).given.get(U(a).address)), s = /* @__PURE__ */ M(() => U(i).blanks.length > 0 && U(i).right === U(i).blanks.length);
	function c(e) {
		e.preventDefault();
		let t = new FormData(e.currentTarget), n = Number(t.get("blanks"));
		U(i).begin(Number(t.get("seed")), n > 0 ? n : null);
	}
	var l = no();
	let u;
	var d = I(l), f = I(d), p = R(f, !0), m = z(f, 2);
	let h;
	var g = R(m, !0), _ = z(m, 2), v = R(_, !0);
	k(d);
	var y = z(d, 2), b = z(y, 2), x = (e) => {
		var t = Ja(), n = z(I(t));
		k(t), B((e) => J(n, ` ${e ?? ""}`), [() => U(r)("web.quiz.done")]), q(e, t);
	};
	Y(b, (e) => {
		U(s) && e(x);
	});
	var S = z(b, 2), C = (e) => {
		var t = to(), n = L(t), s = I(n), c = z(s, 2), l = I(c), u = R(l), d = z(l, 2), f = R(d, !0), p = z(d, 2), m = (e) => {
			var t = Ya(), n = R(t, !0);
			B(() => J(n, U(o).answer)), q(e, t);
		}, h = (e) => {
			q(e, Dr("?"));
		};
		Y(p, (e) => {
			U(o)?.judged?.right ? e(m) : e(h, -1);
		}), k(c);
		var g = z(c, 2);
		k(n);
		var _ = z(n, 2), v = (e) => {
			var t = Xa(), n = R(t, !0);
			B((e) => J(n, e), [() => U(r)("web.quiz.how")]), q(e, t);
		};
		Y(_, (e) => {
			U(o) === void 0 && e(v);
		});
		var y = z(_, 2), b = (e) => {
			var t = $a(), n = L(t);
			let i;
			var a = I(n), s = R(a, !0), c = z(a, 2), l = (e) => {
				var t = Dr();
				B((e) => J(t, e), [() => U(r)("web.quiz.revealed")]), q(e, t);
			}, u = (e) => {
				var t = Za(), n = L(t), i = R(n, !0), a = z(n);
				B((e) => {
					J(i, U(o).answer), J(a, ` ${e ?? ""}`);
				}, [() => U(r)(U(o).judged.right ? "web.quiz.right" : "web.quiz.wrong")]), q(e, t);
			};
			Y(c, (e) => {
				U(o).isRevealed ? e(l) : e(u, -1);
			}), k(n), Br(z(n, 2), () => U(o), (e) => {
				var t = Qa(), n = I(t), i = R(n, !0), a = z(n, 2);
				Z(a, () => U(o).judged.html, !0), k(a), k(t), B((e) => {
					t.open = U(o).isRevealed, J(i, e);
				}, [() => U(r)("web.quiz.why")]), q(e, t);
			}), B(() => {
				i = ei(n, 1, "verdict", null, i, {
					right: U(o).judged.right,
					wrong: !U(o).judged.right
				}), J(s, U(o).isRevealed ? "○" : U(o).judged.right ? "✓" : "✗");
			}), q(e, t);
		};
		Y(y, (e) => {
			U(o)?.judged && e(b);
		});
		var x = z(y, 2), S = (e) => {
			var t = eo(), n = I(t), a = R(n, !0);
			Z(z(n), () => U(i).hint), k(t), B((e) => J(a, e), [() => U(r)("web.hint")]), q(e, t);
		};
		Y(x, (e) => {
			U(i).hint !== null && !U(o)?.judged?.right && e(S);
		});
		var C = z(x, 2), w = I(C), T = R(w, !0), E = z(w, 2), ee = R(E, !0);
		k(C), B((e, t, n, r) => {
			Q(s, "aria-label", e), J(u, `(${U(a).number ?? ""})`), J(f, U(a).address), Q(g, "aria-label", t), J(T, n), J(ee, r);
		}, [
			() => U(r)("web.quiz.previous"),
			() => U(r)("web.quiz.next"),
			() => U(r)("web.hint"),
			() => U(r)("web.quiz.reveal")
		]), W("click", s, () => U(i).move(-1)), W("click", g, () => U(i).move(1)), W("click", w, () => U(i).showHint()), W("click", E, () => U(i).reveal()), q(e, t);
	};
	Y(S, (e) => {
		U(a) !== null && e(C);
	});
	var w = z(S, 2), T = I(w), E = I(T), ee = R(E, !0), te = z(E);
	di(te), k(T);
	var ne = z(T, 2), re = I(ne), ie = R(re, !0), ae = z(re);
	di(ae), k(ne);
	var oe = z(ne, 2), se = R(oe, !0), ce = z(oe, 2), le = R(ce, !0);
	k(w), k(l), B((e, t, r, a, o, c, d, f, b, x) => {
		u = ei(l, 1, "panel quiz", null, u, { folded: n().folded }), Q(l, "aria-label", e), J(p, t), h = ei(m, 1, "score", null, h, { done: U(s) }), J(g, r), Q(_, "aria-expanded", !n().folded), Q(_, "aria-label", a), J(v, n().folded ? "▴" : "▾"), Q(y, "max", o), fi(y, U(i).tried), Q(y, "aria-label", c), J(ee, d), fi(te, (U(i).seed ?? 0) + 1), J(ie, f), fi(ae, U(i).wanted ?? ""), oe.disabled = U(i).busy, J(se, b), J(le, x);
	}, [
		() => U(r)("web.quiz"),
		() => U(r)("web.quiz"),
		() => U(r)("web.quiz.score", {
			right: U(i).right,
			of: U(i).blanks.length
		}),
		() => U(r)("web.panel.fold"),
		() => Math.max(1, U(i).blanks.length),
		() => U(r)("web.quiz.progress"),
		() => U(r)("web.quiz.seed"),
		() => U(r)("web.quiz.blanks"),
		() => U(r)("web.quiz.again"),
		() => U(r)("web.quiz.stop")
	]), W("click", _, () => n().folded = !n().folded), _r("submit", w, c), W("click", ce, () => U(i).stop()), q(e, l), j();
}
G(["click"]);
// src/example/Stage.svelte
var io = /* @__PURE__ */ K("<div class=\"wide\"></div>"), ao = /* @__PURE__ */ K("<div class=\"operands\"></div>"), oo = /* @__PURE__ */ K("<span class=\"arrow\" aria-hidden=\"true\"></span>"), so = /* @__PURE__ */ K("<span class=\"key\"><span></span> </span>"), co = /* @__PURE__ */ K("<span class=\"count\"> </span>"), lo = /* @__PURE__ */ K("<div class=\"after\"></div>"), uo = /* @__PURE__ */ K("<section class=\"stage\" aria-labelledby=\"stage-title\"><div class=\"where\"><button class=\"round\">←</button> <h2 id=\"stage-title\"></h2> <button class=\"play\"><span aria-hidden=\"true\"> </span> </button> <button class=\"round\">→</button></div> <div class=\"before\"></div> <div><!> <div class=\"to\"><!> <div class=\"result\"></div></div></div> <p class=\"note where-cell\"><!> <!></p> <!></section>");
function fo(e, t) {
	A(t, !0);
	let n = /* @__PURE__ */ M(() => t.app.say), r = /* @__PURE__ */ M(() => t.example.step), i = /* @__PURE__ */ M(() => U(r) === null ? null : Pi(U(r))), a = /* @__PURE__ */ M(() => t.example.at >= t.example.steps.length - 1), o = /* @__PURE__ */ M(() => U(i) === null || t.example.look.pinned === null ? 0 : U(i).cells.indexOf(t.example.look.pinned) + 1), s = /* @__PURE__ */ M(() => {
		let e = [];
		for (let n of U(r)?.made_from ?? []) {
			if (U(i)?.matrices.has(n)) continue;
			let r = t.example.steps.find((e) => e.address === n) ?? t.example.steps.find((e) => e.html.includes(`data-array="${n}"`)), a = r === void 0 ? void 0 : Pi(r).matrices.get(n);
			a !== void 0 && e.push({
				array: n,
				html: a
			});
		}
		return e;
	});
	var c = Or(), l = L(c), u = (e) => {
		var c = uo(), l = I(c), u = I(l), d = z(u, 2);
		Z(d, () => U(r).title, !0), k(d);
		var f = z(d, 2), p = I(f), h = R(p, !0), g = z(p);
		k(f);
		var _ = z(f, 2);
		k(l);
		var v = z(l, 2);
		Z(v, () => U(i).before, !0), k(v);
		var y = z(v, 2);
		let b;
		var x = I(y), S = (e) => {
			var t = ao();
			X(t, 21, () => U(s), (e) => e.array, (e, t) => {
				var n = io();
				Z(n, () => U(t).html, !0), k(n), q(e, n);
			}), k(t), q(e, t);
		};
		Y(x, (e) => {
			U(s).length > 0 && e(S);
		});
		var C = z(x, 2), w = I(C), T = (e) => {
			q(e, oo());
		};
		Y(w, (e) => {
			U(s).length > 0 && e(T);
		});
		var E = z(w, 2);
		X(E, 21, () => [...U(i).matrices], ([e, t]) => e, (e, t) => {
			var n = /* @__PURE__ */ M(() => m(U(t), 2));
			let r = () => U(n)[1];
			var i = io();
			Z(i, r, !0), k(i), q(e, i);
		}), k(E), k(C), k(y);
		var ee = z(y, 2), te = I(ee), ne = (e) => {
			var t = Or();
			X(L(t), 16, () => [
				"cell",
				"uses",
				"used-by"
			], (e) => e, (e, t) => {
				var r = so(), i = I(r), a = z(i, 1, !0);
				k(r), B((e) => {
					ei(i, 1, `swatch ${t ?? ""}`), J(a, e);
				}, [() => U(n)(`web.mark.${t}`)]), q(e, r);
			}), q(e, t);
		};
		Y(te, (e) => {
			t.example.quiz.on || e(ne);
		});
		var re = z(te, 2), ie = (e) => {
			var t = co(), r = R(t, !0);
			B((e) => J(r, e), [() => U(n)("web.cell.place", {
				n: U(o),
				of: U(i).cells.length
			})]), q(e, t);
		};
		Y(re, (e) => {
			U(o) > 0 && e(ie);
		}), k(ee);
		var ae = z(ee, 2), oe = (e) => {
			var t = lo();
			Z(t, () => U(i).after, !0), k(t), q(e, t);
		};
		Y(ae, (e) => {
			t.example.quiz.on || t.example.look.cover && !U(r).given || e(oe);
		}), k(c), B((e, n, r, i, o) => {
			u.disabled = t.example.at === 0, Q(u, "aria-label", e), Q(u, "title", n), f.disabled = t.example.quiz.on, J(h, t.example.player.on ? "❚❚" : "▶"), J(g, ` ${r ?? ""}`), _.disabled = U(a), Q(_, "aria-label", i), Q(_, "title", o), b = ei(y, 1, "board", null, b, { alone: U(s).length === 0 });
		}, [
			() => U(n)("web.step.previous"),
			() => U(n)("web.step.previous"),
			() => U(n)(t.example.player.on ? "web.pause" : "web.play"),
			() => U(n)("web.step.next"),
			() => U(n)("web.step.next")
		]), W("click", u, () => t.example.go(t.example.at - 1)), W("click", f, () => t.example.player.toggle()), W("click", _, () => t.example.go(t.example.at + 1)), q(e, c);
	};
	Y(l, (e) => {
		U(r) !== null && U(i) !== null && e(u);
	}), q(e, c), j();
}
G(["click"]);
// src/example/Strip.svelte
var po = /* @__PURE__ */ K("<span class=\"hidden\"> </span>"), mo = /* @__PURE__ */ K("<span class=\"place\"> </span>"), ho = /* @__PURE__ */ K("<span class=\"left\"> </span>"), go = /* @__PURE__ */ K("<li><button><!> <code> </code> <!></button></li>"), _o = /* @__PURE__ */ K("<nav class=\"strip\"><ol></ol></nav>");
function vo(e, t) {
	A(t, !0);
	let n = /* @__PURE__ */ M(() => t.app.say), r = /* @__PURE__ */ M(() => {
		let e = 0;
		return t.example.steps.map((t) => t.given ? e : ++e);
	}), i = /* @__PURE__ */ P(void 0), a = (e) => t.example.quiz.on ? t.example.quiz.left(Pi(e).cells) : 0;
	function o(e) {
		t.example.go(e), t.example.layout === "all" && document.getElementById(`step-${e}`)?.scrollIntoView({ block: "start" });
	}
	_n(() => {
		let e = U(i)?.children[t.example.at];
		U(i) !== void 0 && e instanceof HTMLElement && U(i).scrollTo({ left: e.offsetLeft - (U(i).clientWidth - e.offsetWidth) / 2 });
	});
	var s = _o(), c = I(s);
	X(c, 23, () => t.example.steps, (e) => e.address, (e, i, s) => {
		var c = go();
		let l;
		var u = I(c), d = I(u), f = (e) => {
			var t = po(), r = R(t, !0);
			B((e) => J(r, e), [() => U(n)("web.given.one")]), q(e, t);
		}, p = (e) => {
			var t = mo(), n = R(t, !0);
			B(() => J(n, U(r)[U(s)])), q(e, t);
		};
		Y(d, (e) => {
			U(i).given ? e(f) : e(p, -1);
		});
		var m = z(d, 2), h = R(m, !0), g = z(m, 2), _ = (e) => {
			var t = ho(), r = R(t, !0);
			B((e) => J(r, e), [() => U(n)("web.quiz.left", { n: a(U(i)) })]), q(e, t);
		}, v = /* @__PURE__ */ M(() => a(U(i)) > 0);
		Y(g, (e) => {
			U(v) && e(_);
		}), k(u), k(c), B(() => {
			l = ei(c, 1, "", null, l, { given: U(i).given }), Q(u, "aria-current", U(s) === t.example.at ? "step" : void 0), J(h, U(i).address);
		}), W("click", u, () => o(U(s))), q(e, c);
	}), k(c), xi(c, (e) => F(i, e), () => U(i)), k(s), B((e) => Q(s, "aria-label", e), [() => U(n)("web.steps")]), q(e, s), j();
}
G(["click"]);
function yo(e, t, n, r = null, i = null) {
	switch (e) {
		case "help": return t.help = !0, !0;
		case "theme": return t.nextTheme(), !0;
		case "language": return bo(t, n, r, i), !0;
		case "share": return Co(t), !0;
		default: return t.route === "example" ? n !== null && So(e, t, n) : r !== null && t.route === "check" && xo(e, r);
	}
}
function bo(e, t, n, r) {
	let i = e.lang === "en" ? "zh" : "en";
	e.route === "example" ? t?.setView({ lang: i }) : e.route === "model" ? e.speak(i).then(() => r?.again()) : e.speak(i).then(() => n?.again());
}
function xo(e, t) {
	switch (e) {
		case "next-blank":
			t.move(1);
			break;
		case "previous-blank":
			t.move(-1);
			break;
		case "next-step":
			t.step(1);
			break;
		case "previous-step":
			t.step(-1);
			break;
		case "reveal": return t.workHere();
		case "stop":
			t.working = null;
			break;
		default: return !1;
	}
	return !0;
}
function So(e, t, n) {
	let { quiz: r } = n;
	switch (e) {
		case "next-step":
			n.go(n.at + 1);
			break;
		case "previous-step":
			n.go(n.at - 1);
			break;
		case "next-blank":
		case "previous-blank":
			if (!r.on) return !1;
			r.move(e === "next-blank" ? 1 : -1);
			break;
		case "hint":
			r.on ? r.showHint() : n.look.hinted = !n.look.hinted;
			break;
		case "reveal":
			if (r.on || !n.look.cover) return !1;
			n.reveal();
			break;
		case "play":
			if (r.on) return !1;
			n.player.toggle();
			break;
		case "cover":
			n.setCover(!n.look.cover), t.tell(t.say(n.look.cover ? "web.cover.on" : "web.cover.off"));
			break;
		case "layout":
			n.setLayout(n.layout === "all" ? "step" : "all");
			break;
		case "quiz":
			r.on ? r.stop() : r.begin(7);
			break;
		case "edit":
			if (r.on) return !1;
			n.editing = !n.editing, t.tell(t.say(n.editing ? "web.edit.on" : "web.edit.off"));
			break;
		case "undo":
			n.turn("undo");
			break;
		case "redo":
			n.turn("redo");
			break;
		case "stop":
			n.player.pause(), n.editing = !1;
			break;
		default: return !1;
	}
	return !0;
}
async function Co(e) {
	try {
		await navigator.clipboard.writeText(location.href), e.tell(e.say("web.share.copied"));
	} catch {
		e.tell(e.say("web.share.by-hand"));
	}
}
// src/example/Toolbar.svelte
var wo = /* @__PURE__ */ K("<button><span aria-hidden=\"true\">✎</span> </button> <button><span aria-hidden=\"true\">↶</span> </button> <button><span aria-hidden=\"true\">↷</span> </button>", 1), To = /* @__PURE__ */ K("<button> </button>"), Eo = /* @__PURE__ */ K("<p class=\"note\"> </p>"), Do = /* @__PURE__ */ K("<div class=\"toolbar\" role=\"toolbar\"><span class=\"segments\"><button> </button> <button> </button></span> <!> <button> </button> <!></div> <!>", 1);
function Oo(e, t) {
	A(t, !0);
	let n = Ti(t, "example", 7), r = /* @__PURE__ */ M(() => t.app.say), i = /* @__PURE__ */ M(() => n().quiz);
	var a = Do(), o = L(a), s = I(o), c = I(s), l = R(c, !0), u = z(c, 2), d = R(u, !0);
	k(s);
	var f = z(s, 2), p = (e) => {
		var t = wo(), a = L(t), o = z(I(a));
		k(a);
		var s = z(a, 2), c = z(I(s));
		k(s);
		var l = z(s, 2), u = z(I(l));
		k(l), B((e, t, r) => {
			Q(a, "aria-pressed", n().editing), a.disabled = U(i).on, J(o, ` ${e ?? ""}`), s.disabled = n().history.done.length === 0 || U(i).on, J(c, ` ${t ?? ""}`), l.disabled = n().history.undone.length === 0 || U(i).on, J(u, ` ${r ?? ""}`);
		}, [
			() => U(r)("web.edit"),
			() => U(r)("web.undo"),
			() => U(r)("web.redo")
		]), W("click", a, () => n().editing = !n().editing), W("click", s, () => n().turn("undo")), W("click", l, () => n().turn("redo")), q(e, t);
	};
	Y(f, (e) => {
		t.app.alone || e(p);
	});
	var m = z(f, 2), h = R(m, !0), g = z(m, 2), _ = (e) => {
		var t = To(), n = R(t, !0);
		B((e) => {
			Q(t, "aria-pressed", U(i).on), J(n, e);
		}, [() => U(r)("web.quiz")]), W("click", t, () => U(i).on ? U(i).stop() : U(i).begin(7)), q(e, t);
	};
	Y(g, (e) => {
		t.app.alone || e(_);
	}), k(o);
	var v = z(o, 2), y = (e) => {
		var t = Eo(), n = R(t, !0);
		B((e) => J(n, e), [() => U(r)("web.edit.how")]), q(e, t);
	};
	Y(v, (e) => {
		n().editing && !U(i).on && e(y);
	}), B((e, t, r, a) => {
		Q(o, "aria-label", e), Q(c, "aria-pressed", n().layout === "step"), J(l, t), Q(u, "aria-pressed", n().layout === "all"), J(d, r), Q(m, "aria-pressed", n().look.cover), m.disabled = U(i).on, J(h, a);
	}, [
		() => U(r)("web.toolbar"),
		() => U(r)("web.layout.step"),
		() => U(r)("web.layout.all"),
		() => U(r)("web.cover")
	]), W("click", c, () => n().setLayout("step")), W("click", u, () => n().setLayout("all")), W("click", m, () => n().setCover(!n().look.cover)), q(e, a), j();
}
G(["click"]);
// src/lib/focus.ts
function ko(e) {
	let t = e.getRootNode();
	return t instanceof Document || t instanceof ShadowRoot ? t.activeElement : null;
}
// src/lib/blanks.ts
function Ao(e, t, n) {
	for (let { address: r, number: i } of t.blanks) for (let a of e.at(r)) Mo(a, a.querySelector("input") ?? jo(a, i, r, t, n), r, t, n);
}
function jo(e, t, n, r, i) {
	let a = document.createElement("input");
	a.className = "blank-input", a.placeholder = `(${t})`, a.size = 6, a.spellcheck = !1, a.autocomplete = "off", a.setAttribute("aria-label", i.label(t));
	let o = () => void r.answer(n, a.value.trim());
	return a.addEventListener("change", o), a.addEventListener("keydown", (e) => {
		e.key === "Enter" && (r.isRight(n, a.value.trim()) ? r.move(1) : o());
	}), e.dataset.blank = String(t), e.replaceChildren(a), a;
}
function Mo(e, t, n, r, i) {
	let a = r.given.get(n);
	a !== void 0 && ko(t) !== t && (t.value = a.answer), a?.isRevealed && (t.value = a.answer);
	let o = a?.judged ?? null, s = o === null ? "" : a?.isRevealed ? "revealed" : o.right ? "right" : "wrong";
	e.dataset.verdict = s, t.readOnly = a?.isRevealed ?? !1, s === "wrong" ? t.setAttribute("aria-invalid", "true") : t.removeAttribute("aria-invalid"), s === "right" || s === "wrong" ? t.title = i[s] : t.removeAttribute("title");
}
// src/lib/editor.ts
var No = 0;
function Po(e) {
	let { cell: t } = e, n = document.createElement("input");
	n.className = "editor", n.value = e.first ?? e.value, n.spellcheck = !1, n.autocomplete = "off", n.setAttribute("aria-label", e.label);
	let r = Fo(), i = !1, a = !1, o = (t) => {
		a || (a = !0, r.remove(), n.remove(), e.closed(t));
	}, s = async (t) => {
		if (i || a) return;
		let s = n.value.trim();
		if (s === e.value || s === "") return o(t);
		i = !0;
		let c = await e.commit(s);
		if (i = !1, c === null) return o(t);
		Io(r, c, n);
	};
	n.addEventListener("keydown", (e) => {
		if (e.key === "Enter") s(!0);
		else if (e.key === "Escape") o(!0);
		else return;
		e.preventDefault(), e.stopPropagation();
	}), n.addEventListener("input", () => Lo(r, n)), n.addEventListener("blur", () => void (r.isConnected ? o(!1) : s(!1))), t.append(n), n.focus(), e.first === null && n.select();
}
function Fo() {
	let e = document.createElement("div");
	return e.className = "problem bubble", e.id = `problem-${++No}`, e.setAttribute("role", "alert"), e.popover = "manual", e;
}
function Io(e, t, n) {
	document.body.append(e), e.textContent = t, e.showPopover();
	let r = n.getBoundingClientRect();
	e.style.left = `${Math.max(8, Math.min(r.left, window.innerWidth - e.offsetWidth - 8))}px`, e.style.top = `${r.bottom + 6}px`, n.setAttribute("aria-invalid", "true"), n.setAttribute("aria-describedby", e.id);
}
function Lo(e, t) {
	e.remove(), t.removeAttribute("aria-invalid"), t.removeAttribute("aria-describedby");
}
// src/lib/select.ts
function Ro(e) {
	let t = e.lastIndexOf("[");
	return t === -1 ? e : e.slice(0, t);
}
function zo(e) {
	let t = /* @__PURE__ */ new Map();
	if (e === null) return t;
	for (let n of e.used_by) t.set(n, "used-by");
	for (let n of e.uses) t.set(n, "uses");
	return t.set(e.address, "cell"), t;
}
function Bo(e) {
	let t = /* @__PURE__ */ new Map();
	return e?.pairs.forEach((e, n) => {
		for (let r of new Set(e)) {
			let e = t.get(r);
			e === void 0 ? t.set(r, [n + 1]) : e.push(n + 1);
		}
	}), t;
}
function Vo(e, t, [n, r], i) {
	let a = (e) => Math.max(0, (i[e] ?? 1) - 1), o = (e, t) => {
		let n = Math.min(Math.max(e, 0), i.length - 1);
		return [n, Math.min(Math.max(t, 0), a(n))];
	};
	switch (e) {
		case "ArrowUp": return o(n - 1, r);
		case "ArrowDown": return o(n + 1, r);
		case "ArrowLeft": return o(n, r - 1);
		case "ArrowRight": return o(n, r + 1);
		case "Home": return o(t ? 0 : n, 0);
		case "End": return o(t ? i.length - 1 : n, Infinity);
		default: return null;
	}
}
function Ho(e, t, n) {
	return n === 0 ? -1 : ((e + t) % n + n) % n;
}
// src/lib/linked.ts
var Uo = "td[data-cell]", Wo = "?", Go = /^[0-9.\-−]$/, Ko = class {
	root;
	on;
	index = /* @__PURE__ */ new Map();
	painted = null;
	marked = [];
	observer = new MutationObserver(() => this.refresh());
	stop = new AbortController();
	constructor(e, t) {
		this.root = e, this.on = t;
		let n = { signal: this.stop.signal };
		e.addEventListener("pointerover", (e) => this.pointer(e), n), e.addEventListener("pointerleave", () => t.out(), n), e.addEventListener("focusin", (e) => this.entered(e), n), e.addEventListener("click", (e) => this.clicked(e), n), e.addEventListener("dblclick", (e) => this.start(es(e), null), n), e.addEventListener("keydown", (e) => this.pressed(e), n), this.refresh();
	}
	destroy() {
		this.stop.abort(), this.observer.disconnect();
	}
	at(e) {
		return this.index.get(e) ?? [];
	}
	focus(e) {
		let t = this.at(e).find((e) => e.offsetParent !== null);
		return t !== void 0 && (Qo(t), !0);
	}
	paint(e) {
		this.painted = e;
		for (let e of this.marked) Xo(e);
		this.marked = [];
		for (let [t, n] of this.index) (n.some((e) => "covered" in e.dataset) || e.covered(t)) && this.cover(t, n, e);
		let t = /* @__PURE__ */ new Set([
			...e.marks.keys(),
			...e.terms.keys(),
			...e.changed
		]);
		for (let n of t) for (let t of this.at(n)) Jo(t, n, e), this.marked.push(t);
	}
	refresh() {
		this.observer.disconnect(), this.index = /* @__PURE__ */ new Map();
		for (let e of this.root.querySelectorAll("table[data-array]")) this.dress(e);
		this.on.dressed(this), this.painted !== null && this.paint(this.painted), this.observer.observe(this.root, {
			childList: !0,
			subtree: !0
		});
	}
	dress(e) {
		let t = e.getAttribute("role") !== "grid";
		t && (e.setAttribute("role", "grid"), e.closest(".wide")?.removeAttribute("tabindex"), qo(e));
		for (let n of e.querySelectorAll(Uo)) {
			let e = n.dataset.cell ?? "", r = this.index.get(e);
			r === void 0 ? this.index.set(e, [n]) : r.push(n), t && (n.setAttribute("role", "gridcell"), n.setAttribute("aria-readonly", String(!("written" in n.dataset))), n.tabIndex = -1);
		}
		t && Zo(e);
	}
	cover(e, t, n) {
		let r = n.covered(e);
		for (let e of t) e.querySelector("input") === null && (r && !("covered" in e.dataset) ? (e.dataset.covered = e.textContent ?? "", e.textContent = Wo) : !r && "covered" in e.dataset && (e.textContent = e.dataset.covered ?? "", delete e.dataset.covered));
		this.observer.takeRecords();
	}
	pointer(e) {
		if (e.pointerType !== "mouse") return;
		let t = es(e);
		t === null ? this.on.out() : this.on.over(ts(t));
	}
	entered(e) {
		let t = es(e);
		if (t === null) return;
		let n = t.closest("table");
		n !== null && Zo(n, t), this.on.choose(ts(t));
	}
	clicked(e) {
		let t = es(e);
		t === null || ns(e.target) || (this.on.editing() ? this.start(t, null) : ko(t) === t ? this.on.choose(ts(t)) : Qo(t));
	}
	start(e, t) {
		return e === null || !("written" in e.dataset) || e.querySelector("input") !== null ? !1 : (this.on.edit(e, t), !0);
	}
	pressed(e) {
		let t = es(e);
		if (t === null || e.altKey || e.metaKey) return;
		let n = e.key === "ArrowUp" || e.key === "ArrowDown";
		(!ns(e.target) || n && "blank" in t.dataset) && (e.key === "Enter" || e.key === "F2" ? this.start(t, null) && e.preventDefault() : Go.test(e.key) && !e.ctrlKey ? this.start(t, e.key) && e.preventDefault() : this.move(t, e));
	}
	move(e, t) {
		let n = $o(e), r = n.findIndex((t) => t.includes(e)), i = n[r]?.indexOf(e) ?? 0, a = n.map((e) => e.length), o = Vo(t.key, t.ctrlKey, [r, i], a);
		if (o === null) return;
		t.preventDefault(), t.stopPropagation();
		let s = n[o[0]]?.[o[1]];
		s !== void 0 && s !== e && Qo(s);
	}
};
function qo(e) {
	let { caption: t } = e;
	t !== null && (e.setAttribute("aria-label", (t.textContent ?? "").trim().replace(/[:：]$/, "")), t.setAttribute("aria-hidden", "true"));
}
function Jo(e, t, n) {
	let r = n.marks.get(t), i = n.terms.get(t);
	r !== void 0 && (e.dataset.mark = r), r === "cell" && Yo(e), n.changed.has(t) && (e.dataset.changed = ""), i !== void 0 && (e.dataset.term = i.length > 3 ? `${i.slice(0, 2).join(",")}…` : i.join(","), n.term !== null && i.includes(n.term) && (e.dataset.pulse = ""));
}
function Yo(e) {
	e.setAttribute("aria-selected", "true");
	let t = e.closest("table");
	t !== null && !t.contains(ko(t)) && Zo(t, e);
}
function Xo(e) {
	for (let t of [
		"mark",
		"term",
		"changed",
		"pulse"
	]) delete e.dataset[t];
	e.removeAttribute("aria-selected");
}
function Zo(e, t = e.querySelector(Uo)) {
	for (let t of e.querySelectorAll(`${Uo}[tabindex="0"]`)) t.tabIndex = -1;
	t !== null && (t.tabIndex = 0);
}
function Qo(e) {
	(e.querySelector("input") ?? e).focus();
}
function $o(e) {
	return [...e.closest("table")?.tBodies[0]?.rows ?? []].map((e) => [...e.cells].filter((e) => e.matches(Uo))).filter((e) => e.length > 0);
}
function es(e) {
	return e.target instanceof Element ? e.target.closest(Uo) : null;
}
function ts(e) {
	return e.dataset.cell ?? "";
}
function ns(e) {
	return e instanceof HTMLInputElement;
}
// src/example/ExamplePage.svelte
var rs = /* @__PURE__ */ K("<button> </button>"), is = /* @__PURE__ */ K("<button class=\"quiet\"> </button>"), as = /* @__PURE__ */ K("<p class=\"failure\" role=\"alert\"> <!></p>"), os = /* @__PURE__ */ K("<div class=\"closing\"></div>"), ss = /* @__PURE__ */ K("<div class=\"title\"><h1> </h1> <!></div> <details class=\"about\"><summary> </summary> <div class=\"intro\"></div> <!></details> <!> <!> <!> <div><div class=\"matrices\"><!></div> <!></div> <!>", 1), cs = /* @__PURE__ */ K("<p class=\"waiting\"> </p>"), ls = /* @__PURE__ */ K("<!> <!>", 1);
function us(e, t) {
	A(t, !0);
	let n = Ti(t, "example", 7), r = /* @__PURE__ */ M(() => t.app.say), i = /* @__PURE__ */ M(() => n().quiz), a = /* @__PURE__ */ P(Jt(ur(() => t.app.isRoomy))), o = /* @__PURE__ */ P(null);
	function s(e, a) {
		let s = e.dataset.cell ?? "";
		U(i).on || t.app.alone || Po({
			cell: e,
			value: e.dataset.written ?? "",
			first: a,
			label: U(r)("web.edit.label", { address: s }),
			commit: (e) => n().edit({
				set: s,
				to: e
			}),
			closed: (e) => {
				e && sr().then(() => U(o)?.focus(s));
			}
		});
	}
	let c = (e) => {
		let t = new Ko(e, {
			over: (e) => n().look.hover(e),
			out: () => n().look.hover(null),
			choose: (e) => n().choose(e),
			edit: s,
			editing: () => n().editing && !U(i).on,
			dressed: (e) => l(e)
		});
		return F(o, t), n().focus = (e) => t.focus(e), () => {
			F(o, null), n().focus = () => !1, t.destroy();
		};
	};
	function l(e) {
		U(i).on && Ao(e, U(i), {
			label: (e) => U(r)("web.quiz.blank", { n: e }),
			right: U(r)("web.quiz.right"),
			wrong: U(r)("web.quiz.wrong")
		});
	}
	_n(() => {
		let e = n().look.cell !== null && n().look.cell.address === n().look.shown && !U(i).on ? n().look.cell : null, t = e !== null && n().isCovered(e.address), r = zo(e);
		n().look.shown !== null && r.set(n().look.shown, "cell"), U(o)?.paint({
			marks: r,
			terms: t ? /* @__PURE__ */ new Map() : Bo(e),
			term: n().look.term,
			changed: n().changedCells,
			covered: (e) => n().isCovered(e)
		});
	}), _n(() => {
		U(o) !== null && U(i).on && l(U(o));
	});
	var u = ls(), d = L(u), f = (e) => {
		var t = as(), i = I(t), a = z(i), o = (e) => {
			var t = rs(), i = R(t, !0);
			B((e) => J(i, e), [() => U(r)("web.start-over")]), W("click", t, () => n().open(n().names[0]?.name ?? "")), q(e, t);
		}, s = (e) => {
			var t = is(), i = R(t, !0);
			B((e) => J(i, e), [() => U(r)("web.close")]), W("click", t, () => n().failure = null), q(e, t);
		};
		Y(a, (e) => {
			n().page === null ? e(o) : e(s, -1);
		}), k(t), B(() => J(i, `${n().failure ?? ""} `)), q(e, t);
	};
	Y(d, (e) => {
		n().failure !== null && e(f);
	});
	var p = z(d, 2), m = (e) => {
		var o = ss(), s = L(o), l = I(s), u = R(l, !0);
		sa(z(l, 2), {
			get app() {
				return t.app;
			},
			get example() {
				return n();
			}
		}), k(s);
		var d = z(s, 2), f = I(d), p = R(f, !0), m = z(f, 2);
		Z(m, () => n().parts.opening, !0), k(m);
		var h = z(m, 2), g = (e) => {
			qa(e, {
				get app() {
					return t.app;
				},
				get example() {
					return n();
				}
			});
		};
		Y(h, (e) => {
			t.app.alone || e(g);
		}), k(d);
		var _ = z(d, 2);
		Oo(_, {
			get app() {
				return t.app;
			},
			get example() {
				return n();
			}
		});
		var v = z(_, 2);
		vo(v, {
			get app() {
				return t.app;
			},
			get example() {
				return n();
			}
		});
		var y = z(v, 2);
		Na(y, {
			get app() {
				return t.app;
			},
			get example() {
				return n();
			}
		});
		var b = z(y, 2);
		let x;
		var S = I(b);
		Br(I(S), () => U(i).seed, (e) => {
			var r = Or(), i = L(r), a = (e) => {
				ta(e, {
					get app() {
						return t.app;
					},
					get example() {
						return n();
					}
				});
			}, o = (e) => {
				fo(e, {
					get app() {
						return t.app;
					},
					get example() {
						return n();
					}
				});
			};
			Y(i, (e) => {
				n().layout === "all" ? e(a) : e(o, -1);
			}), q(e, r);
		}), k(S), Zr(S, () => c);
		var C = z(S, 2), w = (e) => {
			ro(e, {
				get app() {
					return t.app;
				},
				get example() {
					return n();
				}
			});
		}, T = (e) => {
			ka(e, {
				get app() {
					return t.app;
				},
				get example() {
					return n();
				}
			});
		};
		Y(C, (e) => {
			U(i).on ? e(w) : e(T, -1);
		}), k(b);
		var E = z(b, 2), ee = (e) => {
			var t = os();
			Z(t, () => n().parts.closing, !0), k(t), q(e, t);
		};
		Y(E, (e) => {
			!U(i).on && n().parts.closing !== "" && e(ee);
		}), B((e) => {
			J(u, n().page.title), J(p, e), x = ei(b, 1, "work", null, x, {
				busy: n().busy,
				editing: n().editing
			}), Q(b, "aria-busy", n().busy);
		}, [() => U(r)("web.given")]), Si("open", "toggle", d, (e) => F(a, e), () => U(a)), q(e, o);
	}, h = (e) => {
		var t = cs(), n = R(t, !0);
		B((e) => J(n, e), [() => U(r)("web.waiting")]), q(e, t);
	};
	Y(p, (e) => {
		n().page === null ? n().failure === null && e(h, 1) : e(m);
	}), q(e, u), j();
}
G(["click"]);
// src/Menu.svelte
var ds = /* @__PURE__ */ K("<details class=\"menu\"><summary> </summary> <div class=\"sheet\"><!></div></details>");
function fs(e, t) {
	A(t, !0);
	let n = /* @__PURE__ */ P(void 0);
	function r() {
		U(n) !== void 0 && (U(n).open = !1);
	}
	function i(e) {
		U(n)?.open && !e.composedPath().includes(U(n)) && r();
	}
	function a(e) {
		e.key === "Escape" && U(n)?.open && (r(), U(n).querySelector("summary")?.focus(), e.preventDefault());
	}
	var o = ds();
	_r("pointerdown", Zt, i), _r("focusin", Zt, i), _r("keydown", Zt, a, !0);
	var s = I(o), c = R(s, !0), l = z(s, 2);
	Xr(I(l), () => t.children, () => r), k(l), k(o), xi(o, (e) => F(n, e), () => U(n)), B(() => J(c, t.label)), q(e, o), j();
}
// src/model/types.ts
var ps = [
	"run",
	"thumbs",
	"digits",
	"row",
	"weight",
	"peak",
	"pipeline",
	"worst",
	"figure",
	"overTime"
];
// src/lib/lines.ts
async function* ms(e) {
	if (e.body === null) return;
	let t = e.body.pipeThrough(new TextDecoderStream()).getReader(), n = "";
	for (;;) {
		let { done: e, value: r } = await t.read(), i = `${n}${r ?? ""}`.split("\n");
		n = e ? "" : i.pop() ?? "";
		for (let e of i) e.trim() !== "" && (yield JSON.parse(e));
		if (e) return;
	}
}
// src/lib/api.ts
var hs = class extends Error {
	code;
	status;
	place;
	constructor(e, t, n, r = null) {
		super(t), this.code = e, this.status = n, this.place = r, this.name = "ApiError";
	}
};
function gs(e) {
	return e instanceof DOMException && e.name === "AbortError";
}
var _s = class {
	token;
	fetch;
	offers = new Set(ps);
	constructor(e, t = (e, t) => window.fetch(e, t)) {
		this.token = e, this.fetch = t;
	}
	words(e) {
		return this.get(`/api/words/${e}`);
	}
	examples(e) {
		return this.get(`/api/examples/${e}`);
	}
	opened() {
		return this.get("/api/opened");
	}
	example(e, t, n) {
		return this.post("/api/example", {
			source: e,
			view: t
		}, n);
	}
	edit(e, t, n, r) {
		return this.post("/api/edit", {
			source: e,
			view: t,
			edits: n
		}, r);
	}
	cell(e, t, n, r) {
		return this.post("/api/cell", {
			source: e,
			view: t,
			address: n
		}, r);
	}
	proof(e, t, n) {
		return this.post("/api/proof", {
			source: e,
			view: t
		}, n);
	}
	worksheet(e, t, n) {
		return this.post("/api/worksheet", {
			source: e,
			view: t,
			...n
		});
	}
	answer(e, t, n, r, i) {
		return this.post("/api/answer", {
			source: e,
			view: t,
			...n,
			address: r,
			answer: i
		});
	}
	check(e, t, n, r, i) {
		return this.post("/api/check", {
			name: e,
			text: t,
			lang: n,
			lenient: r
		}, i);
	}
	working(e, t, n, r, i, a) {
		return this.post("/api/working", {
			name: e,
			text: t,
			lang: n,
			lenient: r,
			place: i
		}, a);
	}
	export(e, t, n) {
		return this.file("/api/export", {
			source: e,
			view: t,
			target: n
		}, `workings.${n}`);
	}
	async run(e, t, n, r) {
		let i = await this.send("/api/run", this.written({
			text: e,
			lang: t
		}, r));
		for await (let e of ms(i)) {
			if ("error" in e) throw new hs(e.error.code, e.error.message, i.status);
			if ("recording" in e) return e.recording;
			n(e);
		}
		throw new hs("Offline", "", 0);
	}
	recording(e, t, n) {
		return this.post("/api/recording", {
			recording: e,
			lang: t
		}, n);
	}
	table(e, t, n, r, i, a, o) {
		return this.post("/api/table", {
			recording: e,
			head: t,
			level: n,
			pooled: r,
			against: i,
			lang: a
		}, o);
	}
	thumbs(e, t, n, r) {
		return this.post("/api/thumbs", {
			recording: e,
			heads: t,
			size: n
		}, r);
	}
	async tile(e, t, n) {
		let r = await this.send("/api/tile", this.written({
			recording: e,
			...t
		}, n));
		return new Uint8Array(await r.arrayBuffer());
	}
	async digits(e, t, n) {
		return (await this.post("/api/digits", {
			recording: e,
			...t
		}, n)).digits;
	}
	row(e, t, n, r, i, a) {
		return this.post("/api/row", {
			recording: e,
			head: t,
			query: n,
			top: r,
			lang: i
		}, a);
	}
	weight(e, t, n, r) {
		return this.post("/api/weight", {
			recording: e,
			address: t,
			view: {
				lang: n,
				precision: "auto",
				carry: null
			}
		}, r);
	}
	async peak(e, t, n, r, i) {
		let a = await this.post("/api/peak", {
			recording: e,
			head: t,
			...n,
			towards: r
		}, i);
		return "none" in a ? null : a;
	}
	async pipeline(e, t, n, r, i) {
		return (await this.post("/api/pipeline", {
			recording: e,
			head: t,
			query: n,
			lang: r
		}, i)).stages;
	}
	worst(e, t, n, r, i, a) {
		return this.post("/api/worst", {
			recording: e,
			head: t,
			against: n,
			count: r,
			lang: i
		}, a);
	}
	overTime(e, t, n, r) {
		return this.post("/api/over-time", {
			recording: e,
			address: t,
			lang: n
		}, r);
	}
	figure(e, t, n) {
		return this.file("/api/figure", {
			recording: e,
			...t,
			lang: n
		}, `${t.head}.svg`);
	}
	async file(e, t, n) {
		let r = await this.send(e, this.written(t));
		return {
			name: ys(r.headers.get("Content-Disposition") ?? "") ?? n,
			blob: await r.blob()
		};
	}
	async get(e) {
		return await (await this.send(e, { method: "GET" })).json();
	}
	async post(e, t, n) {
		return await (await this.send(e, this.written(t, n))).json();
	}
	written(e, t) {
		return {
			method: "POST",
			headers: {
				"Content-Type": "application/json",
				"X-Workings": this.token
			},
			body: JSON.stringify(e),
			...t ? { signal: t } : {}
		};
	}
	async send(e, t) {
		let n;
		try {
			n = await this.fetch(e, t);
		} catch (e) {
			throw gs(e) ? e : new hs("Offline", "", 0);
		}
		if (n.ok) return n;
		throw await vs(n);
	}
};
async function vs(e) {
	try {
		let { error: t } = await e.json();
		return new hs(t.code, t.message, e.status, t.place ?? null);
	} catch {
		return new hs("Offline", "", e.status);
	}
}
function ys(e) {
	let t = /filename\*=UTF-8''([^;]+)/i.exec(e)?.[1];
	if (t !== void 0) try {
		return decodeURIComponent(t);
	} catch {
		return null;
	}
	return /filename="([^"]*)"/i.exec(e)?.[1] ?? /filename=([^;\s]+)/i.exec(e)?.[1] ?? null;
}
// src/lib/words.ts
var bs = class {
	sentences;
	constructor(e = {}) {
		this.sentences = e;
	}
	say(e, t = {}) {
		let n = this.sentences[e];
		return n === void 0 ? e : xs(n, t);
	}
	has(e) {
		return e in this.sentences;
	}
	get isEmpty() {
		return Object.keys(this.sentences).length === 0;
	}
};
function xs(e, t) {
	return e.replace(/\{(\w+)\}/g, (e, n) => {
		let r = Object.hasOwn(t, n) ? t[n] : void 0;
		return r === void 0 ? e : String(r);
	});
}
// src/lib/app.svelte.ts
var Ss = [
	"system",
	"light",
	"dark"
], Cs = {
	example: "/",
	model: "/model",
	check: "/check"
}, ws = 4e3, Ts = 6e4, Es = 62;
function Ds(e) {
	try {
		return localStorage.getItem(e);
	} catch {
		return null;
	}
}
function Os(e, t) {
	try {
		localStorage.setItem(e, t);
	} catch {}
}
function ks(e) {
	return e.startsWith("/model") ? "model" : e.startsWith("/check") ? "check" : "example";
}
var As = class {
	api;
	alone;
	root;
	#e = /* @__PURE__ */ P("en");
	get lang() {
		return U(this.#e);
	}
	set lang(e) {
		F(this.#e, e, !0);
	}
	#t = /* @__PURE__ */ P(new bs());
	get words() {
		return U(this.#t);
	}
	set words(e) {
		F(this.#t, e);
	}
	#n = /* @__PURE__ */ P("system");
	get theme() {
		return U(this.#n);
	}
	set theme(e) {
		F(this.#n, e, !0);
	}
	#r = /* @__PURE__ */ P("example");
	get route() {
		return U(this.#r);
	}
	set route(e) {
		F(this.#r, e, !0);
	}
	#i = /* @__PURE__ */ P(!0);
	get singles() {
		return U(this.#i);
	}
	set singles(e) {
		F(this.#i, e, !0);
	}
	#a = /* @__PURE__ */ P(!1);
	get help() {
		return U(this.#a);
	}
	set help(e) {
		F(this.#a, e, !0);
	}
	#o = /* @__PURE__ */ P(!1);
	get folded() {
		return U(this.#o);
	}
	set folded(e) {
		F(this.#o, e, !0);
	}
	#s = /* @__PURE__ */ P("");
	get said() {
		return U(this.#s);
	}
	set said(e) {
		F(this.#s, e, !0);
	}
	#c = /* @__PURE__ */ P("");
	get notice() {
		return U(this.#c);
	}
	set notice(e) {
		F(this.#c, e, !0);
	}
	#l = /* @__PURE__ */ P(null);
	get failure() {
		return U(this.#l);
	}
	set failure(e) {
		F(this.#l, e);
	}
	ground = null;
	unanswered = "workings serve?";
	noticed;
	constructor(e, t, n = !1, r = document.documentElement) {
		this.api = e, this.alone = n, this.root = r, this.lang = t, this.route = n || !this.isAddressed ? "example" : ks(location.pathname), this.singles = Ds("workings.singles") !== "off";
		let i = Ds("workings.theme");
		this.setTheme(Ss.find((e) => e === i) ?? "system");
	}
	get isAddressed() {
		return this.root === document.documentElement;
	}
	get isRoomy() {
		return this.isAddressed ? window.matchMedia(`(min-width: ${Es}rem)`).matches : this.root.clientWidth >= Es * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
	}
	say = (e, t = {}) => this.words.say(e, t);
	async speak(e) {
		try {
			this.words = new bs(await this.api.words(e)), this.failure = null;
		} catch (e) {
			this.failure = this.told(e);
			return;
		}
		this.lang = e, this.root.lang = e;
	}
	setTheme(e) {
		this.theme = e, this.wear(), Os("workings.theme", e);
	}
	setGround(e) {
		this.ground = e, this.wear();
	}
	wear() {
		this.root.dataset.theme = this.theme === "system" ? this.ground ?? "system" : this.theme;
	}
	themed(e) {
		return this.say(e === "system" && !this.isAddressed ? "web.theme.notebook" : `web.theme.${e}`);
	}
	nextTheme() {
		this.setTheme(Ss[(Ss.indexOf(this.theme) + 1) % Ss.length] ?? "system"), this.tell(this.themed(this.theme));
	}
	setSingles(e) {
		this.singles = e, Os("workings.singles", e ? "on" : "off");
	}
	go(e) {
		e !== this.route && (history.pushState(null, "", Cs[e]), this.route = e);
	}
	aloud(e) {
		this.said = this.said === e ? `${e}\u00a0` : e;
	}
	tell(e) {
		clearTimeout(this.noticed), this.notice = e, this.aloud(e), this.noticed = setTimeout(() => this.notice = "", ws);
	}
	save({ name: e, blob: t }) {
		let n = document.createElement("a");
		n.href = URL.createObjectURL(t), n.download = e, n.click(), setTimeout(() => URL.revokeObjectURL(n.href), Ts);
	}
	told(e) {
		if (gs(e)) return null;
		if (!(e instanceof hs)) throw e;
		return e.message || this.words.isEmpty ? e.message || this.unanswered : this.say(this.isAddressed ? "web.offline" : "web.asleep");
	}
}, js = /* @__PURE__ */ Er("<svg viewBox=\"0 0 32 32\" width=\"22\" height=\"22\" aria-hidden=\"true\"><rect x=\"2\" y=\"2\" width=\"13\" height=\"13\" rx=\"3\"></rect><rect class=\"faint\" x=\"17\" y=\"2\" width=\"13\" height=\"13\" rx=\"3\"></rect><rect class=\"half\" x=\"2\" y=\"17\" width=\"13\" height=\"13\" rx=\"3\"></rect><rect x=\"17\" y=\"17\" width=\"13\" height=\"13\" rx=\"3\"></rect></svg> workings", 1), Ms = /* @__PURE__ */ K("<span class=\"brand\"><!></span>"), Ns = /* @__PURE__ */ K("<a> </a>"), Ps = /* @__PURE__ */ K("<a class=\"brand\" href=\"/\"><!></a> <nav class=\"routes\"></nav>", 1), Fs = /* @__PURE__ */ K("<button class=\"quiet\"> </button>"), Is = /* @__PURE__ */ K("<button class=\"item\"> </button>"), Ls = /* @__PURE__ */ K("<option> </option>"), Rs = /* @__PURE__ */ K("<label class=\"field\"><span> </span> <select></select></label> <label class=\"field\"><span> </span> <select></select></label> <p class=\"note\"> </p>", 1), zs = /* @__PURE__ */ K("<button> </button>"), Bs = /* @__PURE__ */ K("<!> <fieldset class=\"field\"><legend> </legend> <span class=\"segments\"></span></fieldset> <!>", 1), Vs = /* @__PURE__ */ K("<header class=\"bar\"><!> <div class=\"tools\"><!> <!> <!> <!> <button class=\"quiet round\">?</button></div></header>");
function Hs(e, t) {
	A(t, !0);
	let n = Ti(t, "app", 7), r = Ti(t, "example", 3, null), i = Ti(t, "check", 3, null), a = Ti(t, "model", 3, null), o = /* @__PURE__ */ M(() => n().say), s = [
		"example",
		"model",
		"check"
	], c = [
		"html",
		"tex",
		"md",
		"text",
		"xlsx",
		"csv",
		"svg",
		"json"
	], l = [
		"auto",
		"exact",
		"2",
		"3",
		"4",
		"6",
		"8",
		"12",
		"20",
		"50"
	], u = /* @__PURE__ */ M(() => r()?.precision ?? "auto"), f = /* @__PURE__ */ M(() => l.includes(U(u)) ? l : [...l, U(u)]), p = [
		"",
		"2",
		"3",
		"4",
		"6"
	], m = /* @__PURE__ */ M(() => String(r()?.carry ?? "")), h = /* @__PURE__ */ M(() => p.includes(U(m)) ? p : [...p, U(m)]);
	function g(e, t) {
		e.metaKey || e.ctrlKey || e.shiftKey || e.button !== 0 || (e.preventDefault(), n().go(t), t === "example" && r()?.page && r().sync(!1), t === "model" && a()?.sync(!1));
	}
	var _ = Vs();
	{
		let e = (e) => {
			var t = js();
			Ee(), q(e, t);
		};
		var v = I(_), y = (t) => {
			var n = Ms(), r = I(n);
			e(r), k(n), q(t, n);
		}, b = (t) => {
			var r = Ps(), i = L(r), a = I(i);
			e(a), k(i);
			var c = z(i, 2);
			X(c, 20, () => s, (e) => e, (e, t) => {
				var r = Ns(), i = R(r, !0);
				B((e) => {
					Q(r, "href", Cs[t]), Q(r, "aria-current", n().route === t ? "page" : void 0), J(i, e);
				}, [() => U(o)(`web.nav.${t}`)]), W("click", r, (e) => g(e, t)), q(e, r);
			}), k(c), B((e) => Q(c, "aria-label", e), [() => U(o)("web.nav")]), W("click", i, (e) => g(e, "example")), q(t, r);
		};
		Y(v, (e) => {
			n().alone || !n().isAddressed ? e(y) : e(b, -1);
		});
		var x = z(v, 2), S = I(x), C = (e) => {
			var t = Fs(), r = R(t, !0);
			B((e) => J(r, e), [() => U(o)("web.share")]), W("click", t, () => Co(n())), q(e, t);
		};
		Y(S, (e) => {
			n().route !== "check" && !n().alone && n().isAddressed && e(C);
		});
		var w = z(S, 2), T = (e) => {
			{
				let t = (e, t = d) => {
					var n = Or();
					X(L(n), 16, () => c, (e) => e, (e, n) => {
						var i = Is(), a = R(i, !0);
						B((e) => J(a, e), [() => U(o)(`web.export.${n}`)]), W("click", i, () => {
							t()(), r().export(n);
						}), q(e, i);
					}), q(e, n);
				}, n = /* @__PURE__ */ M(() => U(o)("web.export"));
				fs(e, {
					get label() {
						return U(n);
					},
					children: t,
					$$slots: { default: !0 }
				});
			}
		};
		Y(w, (e) => {
			n().route === "example" && r() !== null && !n().alone && e(T);
		});
		var E = z(w, 2);
		{
			let e = (e, t = d) => {
				var i = Bs(), a = L(i), s = (e) => {
					var t = Rs(), n = L(t), i = I(n), a = R(i, !0), s = z(i, 2);
					X(s, 20, () => U(f), (e) => e, (e, t) => {
						var n = Ls(), r = R(n, !0), i = {};
						B((e) => {
							J(r, e), i !== (i = t) && (n.value = (n.__value = i) ?? "");
						}, [() => t === "auto" || t === "exact" ? U(o)(`web.digits.${t}`) : U(o)("web.digits.n", { n: t })]), q(e, n);
					}), k(s);
					var c;
					ii(s), k(n);
					var l = z(n, 2), d = I(l), p = R(d, !0), g = z(d, 2);
					X(g, 20, () => U(h), (e) => e, (e, t) => {
						var n = Ls(), r = R(n, !0), i = {};
						B((e) => {
							J(r, e), i !== (i = t) && (n.value = (n.__value = i) ?? "");
						}, [() => t === "" ? U(o)("web.carry.none") : U(o)("web.digits.n", { n: t })]), q(e, n);
					}), k(g);
					var _;
					ii(g), k(l);
					var v = R(z(l, 2), !0);
					B((e, t, n) => {
						J(a, e), c !== (c = U(u)) && (s.value = (s.__value = c) ?? "", ri(s, c)), J(p, t), _ !== (_ = U(m)) && (g.value = (g.__value = _) ?? "", ri(g, _)), J(v, n);
					}, [
						() => U(o)("web.digits"),
						() => U(o)("web.carry"),
						() => U(o)("web.carry.about")
					]), W("change", s, (e) => r().setView({ precision: e.currentTarget.value })), W("change", g, (e) => r().setView({ carry: e.currentTarget.value === "" ? null : Number(e.currentTarget.value) })), q(e, t);
				};
				Y(a, (e) => {
					n().route === "example" && r() !== null && !n().alone && e(s);
				});
				var c = z(a, 2), l = I(c), p = R(l, !0), g = z(l, 2);
				X(g, 20, () => Ss, (e) => e, (e, t) => {
					var r = zs(), i = R(r, !0);
					B((e) => {
						Q(r, "aria-pressed", n().theme === t), J(i, e);
					}, [() => n().themed(t)]), W("click", r, () => n().setTheme(t)), q(e, r);
				}), k(g), k(c);
				var _ = z(c, 2), v = (e) => {
					var n = Is(), r = R(n, !0);
					B((e) => J(r, e), [() => U(o)("web.print")]), W("click", n, () => {
						t()(), window.print();
					}), q(e, n);
				};
				Y(_, (e) => {
					n().isAddressed && e(v);
				}), B((e) => J(p, e), [() => U(o)("web.theme")]), q(e, i);
			}, t = /* @__PURE__ */ M(() => U(o)("web.show"));
			fs(E, {
				get label() {
					return U(t);
				},
				children: e,
				$$slots: { default: !0 }
			});
		}
		var ee = z(E, 2), te = (e) => {
			var t = Fs(), s = R(t, !0);
			B((e) => {
				Q(t, "lang", n().lang === "en" ? "zh" : "en"), J(s, e);
			}, [() => U(o)("web.other-language")]), W("click", t, () => bo(n(), r(), i(), a())), q(e, t);
		};
		Y(ee, (e) => {
			n().alone || e(te);
		});
		var ne = z(ee, 2);
		k(x), k(_), B((e, t) => {
			Q(ne, "aria-label", e), Q(ne, "title", t);
		}, [() => U(o)("web.help"), () => U(o)("web.help")]), W("click", ne, () => n().help = !0);
	}
	q(e, _), j();
}
G(["click", "change"]);
// src/lib/keys.ts
function $(e, ...t) {
	return {
		keys: t,
		action: e,
		word: `web.key.${e}`,
		single: t.every((e) => e.length === 1 && e !== " ")
	};
}
var Us = [
	$("next-step", "ArrowRight", "."),
	$("previous-step", "ArrowLeft", ","),
	$("play", " "),
	$("hint", "h"),
	$("reveal", "Enter"),
	$("cover", "c"),
	$("layout", "a"),
	$("edit", "e"),
	$("undo", "Control+z", "u"),
	$("redo", "Control+Shift+z", "Control+y", "r"),
	$("quiz", "q"),
	$("next-blank", "n"),
	$("previous-blank", "p"),
	$("stop", "Escape"),
	$("share", "s"),
	$("theme", "t"),
	$("language", "l"),
	$("help", "?")
], Ws = /* @__PURE__ */ new Set([
	"edit",
	"undo",
	"redo",
	"quiz",
	"next-blank",
	"previous-blank",
	"share",
	"language"
]);
Us.filter((e) => !Ws.has(e.action)), { ...$("next-blank", "n") }, { ...$("previous-blank", "p") }, { ...$("next-step", ".") }, { ...$("previous-step", ",") }, { ...$("reveal", "w", "Enter") }, $("stop", "Escape"), $("theme", "t"), $("language", "l"), $("help", "?");
var Gs = "web.key.peak", Ks = "web.key.move-cell", qs = [
	{
		...$("up", "ArrowUp"),
		word: Ks
	},
	{
		...$("down", "ArrowDown"),
		word: Ks
	},
	{
		...$("left", "ArrowLeft"),
		word: Ks
	},
	{
		...$("right", "ArrowRight"),
		word: Ks
	},
	{
		...$("peak-up", "Control+ArrowUp"),
		word: Gs
	},
	{
		...$("peak-down", "Control+ArrowDown"),
		word: Gs
	},
	{
		...$("peak-left", "Control+ArrowLeft"),
		word: Gs
	},
	{
		...$("peak-right", "Control+ArrowRight"),
		word: Gs
	},
	$("previous-layer", "["),
	$("next-layer", "]"),
	$("previous-head", "{"),
	$("next-head", "}"),
	$("zoom-in", "+", "="),
	$("zoom-out", "-"),
	$("zoom-fit", "0"),
	$("zoom-cell", "Enter"),
	$("goto", "g"),
	$("find", "/"),
	$("worst", "n"),
	$("table", "v"),
	$("stages", "p"),
	{
		...$("stop", "Escape"),
		word: "web.key.close"
	},
	$("share", "s"),
	$("theme", "t"),
	$("language", "l"),
	$("help", "?")
], Js = /* @__PURE__ */ new Set([
	"worst",
	"stages",
	"share",
	"language"
]);
qs.filter((e) => !Js.has(e.action));
function Ys(e) {
	let t = [];
	for (let { keys: n, word: r } of e) {
		let e = t.find((e) => e.word === r);
		e === void 0 ? t.push({
			keys: [...n],
			word: r
		}) : e.keys.push(...n);
	}
	return t;
}
var Xs = [
	{
		keys: [
			"↑",
			"↓",
			"←",
			"→"
		],
		word: "web.key.grid.move"
	},
	{
		keys: ["Home", "End"],
		word: "web.key.grid.ends"
	},
	{
		keys: ["Enter", "F2"],
		word: "web.key.grid.edit"
	},
	{
		keys: ["Tab"],
		word: "web.key.grid.leave"
	}
];
function Zs(e) {
	let t = e.key.length === 1 ? e.key.toLowerCase() : e.key, n = e.ctrlKey || e.metaKey;
	return (n ? "Control+" : "") + (n && e.shiftKey ? "Shift+" : "") + t;
}
var Qs = /* @__PURE__ */ new Set([
	"ArrowLeft",
	"ArrowRight",
	"Enter"
]), $s = /* @__PURE__ */ new Set(["Enter", " "]);
function ec(e, t, n, r = !0) {
	if (e.altKey) return null;
	let i = Zs(e);
	return t.typing || t.grid && Qs.has(i) || t.control && $s.has(i) || !r && i.length === 1 && i !== " " && i !== "?" ? null : n.find((e) => e.keys.includes(i))?.action ?? null;
}
var tc = "input, textarea, select, [contenteditable=true], dialog[open] *";
function nc(e) {
	return e instanceof Element ? {
		typing: e.matches(tc),
		grid: e.closest("[role=grid]") !== null,
		control: e.closest("button, a, summary, [role=button]") !== null
	} : {
		typing: !1,
		grid: !1,
		control: !1
	};
}
var rc = {
	ArrowRight: "→",
	ArrowLeft: "←",
	ArrowUp: "↑",
	ArrowDown: "↓",
	Control: "Ctrl",
	Shift: "⇧",
	Escape: "Esc",
	Enter: "Enter"
};
function ic(e, t) {
	return (e === "+" ? [e] : e.split("+")).map((e) => e === " " ? t : rc[e] ?? e);
}
// src/Help.svelte
var ac = /* @__PURE__ */ K("<span class=\"or\">/</span>"), oc = /* @__PURE__ */ K("<kbd> </kbd>"), sc = /* @__PURE__ */ K("<!> <!>", 1), cc = /* @__PURE__ */ K("<tr><th scope=\"row\"></th><td> </td></tr>"), lc = /* @__PURE__ */ K("<table class=\"keys\"><caption> </caption><tbody></tbody></table>"), uc = /* @__PURE__ */ K("<p class=\"note\"> </p>"), dc = /* @__PURE__ */ K("<li><span class=\"swatch changed\"></span> </li>"), fc = /* @__PURE__ */ K("<!> <h3> </h3> <ul class=\"legend\"><li><span class=\"swatch cell\"></span> </li> <li><span class=\"swatch uses\"></span> </li> <li><span class=\"swatch used-by\"></span> </li> <!></ul>", 1), pc = /* @__PURE__ */ K("<dialog class=\"help\" aria-labelledby=\"help-title\"><header><h2 id=\"help-title\"> </h2> <button class=\"quiet round\">×</button></header> <!> <!> <!> <label class=\"check\"><input type=\"checkbox\"/> </label> <!></dialog>");
function mc(e, t) {
	A(t, !0);
	let n = Ti(t, "app", 7), r = /* @__PURE__ */ M(() => n().say), i = /* @__PURE__ */ P(void 0);
	_n(() => {
		n().help && U(i)?.open === !1 && U(i).showModal();
	});
	var a = pc();
	{
		let e = (e, t = d, n = d) => {
			var i = lc(), a = I(i), o = R(a, !0), s = z(a);
			X(s, 21, t, (e) => e.word, (e, t) => {
				var n = cc(), i = I(n);
				X(i, 22, () => U(t).keys, (e) => e, (e, t, n) => {
					var i = sc(), a = L(i), o = (e) => {
						q(e, ac());
					};
					Y(a, (e) => {
						U(n) > 0 && e(o);
					}), X(z(a, 2), 16, () => ic(t, U(r)("web.key.space")), (e) => e, (e, t) => {
						var n = oc(), r = R(n, !0);
						B(() => J(r, t)), q(e, n);
					}), q(e, i);
				}), k(i);
				var a = R(z(i), !0);
				k(n), B((e) => J(a, e), [() => U(r)(U(t).word)]), q(e, n);
			}), k(s), k(i), B(() => J(o, n())), q(e, i);
		};
		var o = I(a), s = I(o), c = R(s, !0), l = z(s, 2);
		k(o);
		var u = z(o, 2);
		{
			let n = /* @__PURE__ */ M(() => Ys(t.keys)), i = /* @__PURE__ */ M(() => U(r)("web.help.page"));
			e(u, () => U(n), () => U(i));
		}
		var f = z(u, 2), p = (e) => {
			var t = uc(), n = R(t, !0);
			B((e) => J(n, e), [() => U(r)("web.help.map")]), q(e, t);
		};
		Y(f, (e) => {
			n().route === "model" && e(p);
		});
		var m = z(f, 2), h = (t) => {
			var i = fc(), a = L(i);
			{
				let t = /* @__PURE__ */ M(() => n().alone ? Xs.filter((e) => e.word !== "web.key.grid.edit") : Xs), i = /* @__PURE__ */ M(() => U(r)("web.help.grid"));
				e(a, () => U(t), () => U(i));
			}
			var o = z(a, 2), s = R(o, !0), c = z(o, 2), l = I(c), u = z(I(l), 1, !0);
			k(l);
			var d = z(l, 2), f = z(I(d), 1, !0);
			k(d);
			var p = z(d, 2), m = z(I(p), 1, !0);
			k(p);
			var h = z(p, 2), g = (e) => {
				var t = dc(), n = z(I(t), 1, !0);
				k(t), B((e) => J(n, e), [() => U(r)("web.mark.changed")]), q(e, t);
			};
			Y(h, (e) => {
				n().alone || e(g);
			}), k(c), B((e, t, n, r) => {
				J(s, e), J(u, t), J(f, n), J(m, r);
			}, [
				() => U(r)("web.help.marks"),
				() => U(r)("web.mark.cell"),
				() => U(r)("web.mark.uses"),
				() => U(r)("web.mark.used-by")
			]), q(t, i);
		};
		Y(m, (e) => {
			n().route === "example" && e(h);
		});
		var g = z(m, 2), _ = I(g);
		di(_);
		var v = z(_, 1, !0);
		k(g);
		var y = z(g, 2), b = (e) => {
			var t = uc(), i = R(t, !0);
			B((e) => J(i, e), [() => U(r)(n().isAddressed ? "web.help.private" : "web.help.notebook")]), q(e, t);
		};
		Y(y, (e) => {
			n().alone || e(b);
		}), k(a), xi(a, (e) => F(i, e), () => U(i)), B((e, t, r) => {
			J(c, e), Q(l, "aria-label", t), pi(_, n().singles), J(v, r);
		}, [
			() => U(r)("web.help.title"),
			() => U(r)("web.close"),
			() => U(r)("web.help.singles")
		]), W("click", l, () => U(i)?.close()), W("change", _, (e) => n().setSingles(e.currentTarget.checked));
	}
	_r("cancel", a, () => n().help = !1), _r("close", a, () => n().help = !1), q(e, a), j();
}
G(["click", "change"]);
// src/model/find.ts
function hc(e, t) {
	let n = t.trim().toLocaleLowerCase();
	if (e === null || n === "") return [];
	let r = [];
	return e.forEach((e, t) => {
		e.toLocaleLowerCase().includes(n) && r.push(t);
	}), r;
}
function gc(e, t, n) {
	return e.length === 0 ? null : n === 1 ? e.find((e) => e > t) ?? e[0] ?? null : e.findLast((e) => e < t) ?? e.at(-1) ?? null;
}
function _c(e) {
	let t = /^\s*\[?\s*(\d{1,9})\s*[,，\s]\s*(\d{1,9})\s*\]?\s*$/.exec(e);
	return t === null ? null : {
		query: Number(t[1]),
		key: Number(t[2])
	};
}
var vc = (e) => 2 ** e.z;
function yc(e, t) {
	let n = Math.min(t.width / e.keys, t.height / e.queries);
	return Math.log2(Math.min(Math.max(n, Number.MIN_VALUE), 56));
}
function bc(e, t) {
	return xc({
		x: 0,
		y: 0,
		z: yc(e, t)
	}, e, t);
}
function xc(e, t, n) {
	let r = Math.log2(112), i = Math.min(Math.max(e.z, Math.min(yc(t, n), r)), r), a = 2 ** i;
	return {
		x: Sc(e.x, t.keys - n.width / a),
		y: Sc(e.y, t.queries - n.height / a),
		z: i
	};
}
function Sc(e, t) {
	return Math.min(Math.max(e, 0), Math.max(t, 0));
}
function Cc(e, t, n, r, i) {
	let a = xc({
		...e,
		z: e.z + t
	}, r, i).z, [o, s] = [vc(e), 2 ** a];
	return xc({
		x: e.x + n.x / o - n.x / s,
		y: e.y + n.y / o - n.y / s,
		z: a
	}, r, i);
}
function wc(e, t, n, r, i) {
	let a = vc(e);
	return xc({
		...e,
		x: e.x + t / a,
		y: e.y + n / a
	}, r, i);
}
function Tc(e, t, n, r, i) {
	let a = vc(e), [o, s] = [n + .5 - i.width / a / 2, t + .5 - i.height / a / 2];
	return xc({
		...e,
		x: o,
		y: s
	}, r, i);
}
function Ec(e, t) {
	let n = vc(e);
	return {
		x: e.x + t.width / n / 2,
		y: e.y + t.height / n / 2
	};
}
function Dc(e, t, n, r, i) {
	let a = vc(e), o = Oc(e.x, n, i.width / a), s = Oc(e.y, t, i.height / a);
	return o === e.x && s === e.y ? e : xc({
		...e,
		x: o,
		y: s
	}, r, i);
}
function Oc(e, t, n) {
	return n <= 1 ? t : Math.min(Math.max(e, t + 1 - n), t);
}
function kc(e, t, n) {
	let r = vc(e), [i, a] = [Math.floor(e.y + t.y / r), Math.floor(e.x + t.x / r)];
	return i >= 0 && a >= 0 && i < n.queries && a < n.keys ? {
		query: i,
		key: a
	} : null;
}
var Ac = ({ level: e, factor: t }) => 16 ** e * t, jc = [
	1,
	2,
	4,
	8
];
function Mc(e, t, n, r, i) {
	let a = vc(e) * r;
	for (let r = 0;; r++) for (let o of i ? jc : [1]) {
		let i = {
			level: r,
			factor: o
		}, s = Ac(i) >= Math.max(t.queries, t.keys), c = a * Ac(i) >= 1 - 1e-9;
		if (s || c && (o === 1 || Nc(e, t, n, r) <= 64)) return i;
	}
}
function Nc(e, t, n, r) {
	let i = 256 * 16 ** r, a = vc(e), o = (e, t, n) => Math.floor(Math.min(e + t, n - 1) / i) - Math.floor(e / i) + 1;
	return o(e.x, n.width / a, t.keys) * o(e.y, n.height / a, t.queries);
}
var Pc = 128;
function Fc(e, t) {
	let n = t;
	for (; e / 16 ** n + 1 > Pc;) n++;
	return n;
}
var Ic = (e, t) => Math.ceil(e / Ac(t));
function Lc(e, t, n, r, i) {
	let a = Ac(i), o = new Int32Array(n);
	for (let i = 0; i < n; i++) {
		let n = e + (i + .5) * t;
		o[i] = n < 0 || n >= r ? -1 : Math.floor(n / a);
	}
	return o;
}
function Rc(e, t, n) {
	return Math.ceil((e - t) / n - .5);
}
function zc(e, t) {
	let n = t / vc(e);
	if (n <= 1) return 1;
	let r = 10 ** Math.floor(Math.log10(n));
	return [
		1,
		2,
		5,
		10
	].map((e) => e * r).find((e) => e >= n - 1e-9) ?? r * 10;
}
function Bc(e, t, n) {
	let r = vc(e), i = (e, t, n) => [Math.max(Math.floor(e), 0), Math.min(Math.ceil(e + t / r), n)];
	return {
		queries: i(e.y, n.height, t.queries),
		keys: i(e.x, n.width, t.keys)
	};
}
// src/model/paint.ts
function Vc(e, t = 255) {
	let n = Number.parseInt(e.slice(1), 16);
	return (t << 24 | (n & 255) << 16 | n & 65280 | n >> 16) >>> 0;
}
function Hc(e) {
	let t = Uint32Array.from(e, (e) => Vc(e));
	return t[0] = 0, t;
}
function Uc(e) {
	let t = Number.parseInt(e.slice(1), 16), n = (e) => e / 255 <= .04045 ? e / 255 / 12.92 : ((e / 255 + .055) / 1.055) ** 2.4;
	return .2126 * n(t >> 16) + .7152 * n(t >> 8 & 255) + .0722 * n(t & 255) > .179;
}
function Wc(e, t, n, r, i, a) {
	let o = n.length;
	for (let s = 0; s < t.length; s++) {
		let c = t[s] ?? -1, l = s * o;
		c < 0 ? e.fill(a.outside, l, l + o) : s > 0 && t[s - 1] === c ? e.copyWithin(l, l - o, l) : Gc(e, l, c, n, r, i, a);
	}
}
function Gc(e, t, n, r, i, a, o) {
	let s = r.length, c = 0;
	for (; c < s;) {
		let l = r[c] ?? -1;
		if (l < 0) {
			e[t + c++] = o.outside;
			continue;
		}
		let u = Math.floor(l / i), d = (u + 1) * i, f = a(Math.floor(n / i), u), p = f === null ? 0 : Math.floor((n - f.top) / f.step) * f.width;
		for (; c < s; c++) {
			let n = r[c] ?? -1;
			if (n < 0 || n >= d) break;
			f === null ? e[t + c] = o.pending : e[t + c] = o.colours[f.codes[p + Math.floor((n - f.left) / f.step)] ?? 0] ?? 0;
		}
	}
}
function Kc(e, t, n) {
	if (n === 1) return {
		codes: e,
		width: t
	};
	let r = e.length / t, i = Math.ceil(t / n), a = new Uint8Array(Math.ceil(r / n) * i);
	for (let o = 0; o < r; o++) {
		let r = Math.floor(o / n) * i;
		for (let i = 0; i < t; i++) {
			let s = r + Math.floor(i / n), c = e[o * t + i] ?? 0;
			c > (a[s] ?? 0) && (a[s] = c);
		}
	}
	return {
		codes: a,
		width: i
	};
}
var qc = (e, t) => Math.max(0, Math.min(256, e - 256 * t));
function Jc(e) {
	return Uint8Array.from(atob(e), (e) => e.charCodeAt(0));
}
// src/model/over.ts
function Yc(e, t) {
	let { size: n, origin: r } = t;
	e.clearRect(0, 0, r.x + n.width, r.y + n.height), e.save(), e.beginPath(), e.rect(r.x, r.y, n.width, n.height), e.clip(), t.digits !== null && vc(t.view) >= 44 && Xc(e, t, t.digits), t.pointed !== null && Zc(e, t, t.pointed, .3), t.cell !== null && (Zc(e, t, t.cell, .6), Qc(e, t, t.cell)), e.restore(), tl(e, t), nl(e, t);
}
function Xc(e, t, n) {
	let { queries: r, keys: i } = Bc(t.view, t.extent, t.size), a = vc(t.view);
	e.textAlign = "center", e.textBaseline = "middle";
	for (let o = r[0]; o < r[1]; o++) for (let r = i[0]; r < i[1]; r++) {
		let i = n(o, r), s = t.colour(o, r);
		i && s !== null && (e.font = `${Math.min(15, a * 1.55 / Math.max(i.length, 4))}px ${t.inks.font}`, e.fillStyle = Uc(s) ? "#000" : "#fff", e.fillText(i, t.x(r) + a / 2, t.y(o) + a / 2, a - 4));
	}
}
function Zc(e, t, n, r) {
	let { origin: i, extent: a } = t, o = {
		width: Math.min(t.size.width, t.x(a.keys) - i.x),
		height: Math.min(t.size.height, t.y(a.queries) - i.y)
	}, [s, c] = [t.x(n.key), t.x(n.key + 1)], [l, u] = [t.y(n.query), t.y(n.query + 1)], d = c - s > 6;
	e.globalAlpha = r;
	let f = (t, n, r, a) => {
		e.fillStyle = r, n ? e.fillRect(i.x, t - a / 2, o.width, a) : e.fillRect(t - a / 2, i.y, a, o.height);
	};
	for (let [e, t] of [["#fff", 3], ["#000", 1]]) {
		for (let n of d ? [l, u] : [(l + u) / 2]) f(n, !0, e, t);
		for (let n of d ? [s, c] : [(s + c) / 2]) f(n, !1, e, t);
	}
	e.globalAlpha = 1;
}
function Qc(e, t, n) {
	let [r, i] = [t.x(n.key), t.y(n.query)], [a, o] = [t.x(n.key + 1) - r, t.y(n.query + 1) - i], s = Math.max(0, (9 - Math.min(a, o)) / 2);
	for (let [n, c] of [["#fff", 6], [t.inks.mark, 3]]) e.strokeStyle = n, e.lineWidth = c, e.strokeRect(r - s, i - s, a + 2 * s, o + 2 * s);
}
var $c = 15, el = 6;
function tl(e, t) {
	let { origin: n, size: r, view: i, extent: a, inks: o } = t, s = zc(i, $c), [c, l] = Bc(i, a, r).queries;
	e.save(), e.beginPath(), e.rect(0, n.y, n.x, r.height), e.clip(), e.textAlign = "right", e.textBaseline = "middle";
	let u = (i, a) => {
		let c = il((t.y(i) + t.y(i + 1)) / 2, n.y, r.height);
		sl(e, o, a, al(t.queryWords, i, s), n.x - el, c, n.x - el - 2);
	}, d = t.cell?.query ?? -1;
	for (let e = Math.ceil(c / s) * s; e < l; e += s) d !== -1 && Math.abs(e - d) * vc(i) < $c && e !== d || u(e, e === d);
	d >= c && d < l && d % s !== 0 && u(d, !0), e.restore();
}
function nl(e, t) {
	let { origin: n, size: r, view: i, extent: a, inks: o } = t, s = zc(i, $c), [c, l] = Bc(i, a, r).keys;
	e.save(), e.beginPath(), e.rect(n.x, 0, r.width, n.y), e.clip(), e.textAlign = "left", e.textBaseline = "middle";
	let u = vc(i) >= 76, d = (a, c) => {
		let l = il((t.x(a) + t.x(a + 1)) / 2, n.x, r.width), d = al(t.keyWords, a, s);
		e.save(), u ? (e.textAlign = "center", sl(e, o, c, d, l, n.y - 10, vc(i) - 4)) : (e.translate(l, n.y - el), e.rotate(-Math.PI / 2), sl(e, o, c, d, 0, 0, n.y - el - 2)), e.restore();
	}, f = t.cell?.key ?? -1;
	for (let e = Math.ceil(c / s) * s; e < l; e += s) f !== -1 && Math.abs(e - f) * vc(i) < $c && e !== f || d(e, e === f);
	f >= c && f < l && f % s !== 0 && d(f, !0), e.restore();
}
var rl = 7;
function il(e, t, n) {
	let [r, i] = [t + rl, t + n - rl];
	return e < r && e >= t ? r : e > i && e <= t + n ? i : e;
}
function al(e, t, n) {
	let r = e?.[t];
	return r === void 0 ? String(t) : n === 1 ? ol(r) : `${t} ${ol(r)}`;
}
function ol(e) {
	return e.replaceAll("\n", "⏎").replaceAll("	", "⇥").replace(/^ +| +$/g, (e) => "·".repeat(e.length));
}
function sl(e, t, n, r, i, a, o) {
	e.font = `${n ? "700 " : ""}12px ${t.font}`, e.fillStyle = n ? t.mark : t.soft, e.fillText(cl(e, r, o), i, a);
}
function cl(e, t, n) {
	if (e.measureText(t).width <= n) return t;
	let r = [...t];
	for (; r.length > 1 && e.measureText(`${r.join("")}…`).width > n;) r.pop();
	return `${r.join("")}…`;
}
// src/model/Ask.svelte
var ll = /* @__PURE__ */ K("<li><button type=\"button\" class=\"link\"> <bdi> </bdi></button></li>"), ul = /* @__PURE__ */ K("<li class=\"note\"> </li>"), dl = /* @__PURE__ */ K("<ul class=\"hits\"><!> <!></ul>"), fl = /* @__PURE__ */ K("<label class=\"field inline\"><span> </span><input size=\"18\" autocomplete=\"off\" spellcheck=\"false\"/></label> <span class=\"segments\" role=\"group\"><button type=\"button\"> </button> <button type=\"button\"> </button></span> <button type=\"button\"> </button> <button> </button> <span class=\"count\" aria-live=\"polite\"> </span> <button type=\"button\" class=\"quiet round\">×</button> <!>", 1), pl = /* @__PURE__ */ K("<p class=\"problem\" role=\"alert\"> </p>"), ml = /* @__PURE__ */ K("<label class=\"field inline\"><span> </span><input size=\"22\" autocomplete=\"off\" spellcheck=\"false\" placeholder=\"5,3\"/></label> <button class=\"primary\"> </button> <button type=\"button\" class=\"quiet round\">×</button> <!>", 1), hl = /* @__PURE__ */ K("<form class=\"asking\" role=\"search\"><!></form>");
function gl(e, t) {
	A(t, !0);
	let n = Ti(t, "model", 7), r = /* @__PURE__ */ M(() => n().app), i = /* @__PURE__ */ M(() => U(r).say), a = /* @__PURE__ */ P(""), o = /* @__PURE__ */ P(!0), s = /* @__PURE__ */ P(null), c = /* @__PURE__ */ M(() => U(o) ? n().keyWords : n().queryWords), l = /* @__PURE__ */ M(() => hc(U(c), U(a))), u = /* @__PURE__ */ M(() => U(o) ? n().cell?.key ?? -1 : n().cell?.query ?? -1), d = (e) => e.focus();
	function f(e) {
		if (n().cell === null) return;
		let { query: t, key: r } = n().cell, i = n().layer?.queries === n().layer?.keys;
		U(o) ? n().put({
			query: i ? Math.max(t, e) : t,
			key: e
		}) : n().put({
			query: e,
			key: i ? Math.min(r, e) : r
		}), n().sync(!0);
	}
	function p(e) {
		let t = gc(U(l), U(u), e);
		t !== null && f(t);
	}
	function m(e) {
		e.preventDefault(), n().asking === "find" ? p(1) : h();
	}
	function h() {
		let e = _c(U(a));
		F(s, null), e === null && U(a).includes("[") ? n().follow(U(a).trim()) : e === null ? F(s, U(i)("web.map.goto.how"), !0) : e.query >= n().extent.queries || e.key >= n().extent.keys ? F(s, U(i)("web.map.goto.outside", {
			queries: n().extent.queries - 1,
			keys: n().extent.keys - 1
		}), !0) : (n().put(e), n().map?.dive(e), n().sync(!0)), U(s) === null && g();
	}
	function g() {
		n().asking = null, n().focus();
	}
	function _(e) {
		e.key === "Escape" ? (e.preventDefault(), g()) : e.key === "Enter" && e.shiftKey && n().asking === "find" && (e.preventDefault(), p(-1));
	}
	var v = Or();
	Br(L(v), () => n().asking, (e) => {
		var t = hl(), r = I(t), h = (e) => {
			var t = fl(), n = L(t), r = I(n), s = R(r, !0), m = z(r);
			di(m), Zr(m, () => d), k(n);
			var h = z(n, 2), _ = I(h), v = R(_, !0), y = z(_, 2), b = R(y, !0);
			k(h);
			var x = z(h, 2), S = R(x, !0), C = z(x, 2), w = R(C, !0), T = z(C, 2), E = R(T, !0), ee = z(T, 2), te = z(ee, 2), ne = (e) => {
				var t = dl(), n = I(t);
				X(n, 16, () => U(l).slice(0, 60), (e) => e, (e, t) => {
					var n = ll(), r = I(n), i = I(r), a = R(z(i), !0);
					k(r), k(n), B((e) => {
						Q(r, "aria-current", t === U(u)), J(i, `${t ?? ""} `), J(a, e);
					}, [() => ol(U(c)?.[t] ?? "")]), W("click", r, () => f(t)), q(e, n);
				});
				var r = z(n, 2), a = (e) => {
					var t = ul(), n = R(t, !0);
					B((e) => J(n, e), [() => U(i)("web.more", { n: U(l).length - 60 })]), q(e, t);
				};
				Y(r, (e) => {
					U(l).length > 60 && e(a);
				}), k(t), q(e, t);
			};
			Y(te, (e) => {
				U(l).length > 0 && e(ne);
			}), B((e, t, n, r, i, a, c, u) => {
				J(s, e), Q(h, "aria-label", t), Q(_, "aria-pressed", U(o)), J(v, n), Q(y, "aria-pressed", !U(o)), J(b, r), x.disabled = U(l).length === 0, J(S, i), C.disabled = U(l).length === 0, J(w, a), J(E, c), Q(ee, "aria-label", u);
			}, [
				() => U(i)("web.map.find"),
				() => U(i)("web.map.find.where"),
				() => U(i)("web.map.key"),
				() => U(i)("web.map.query"),
				() => U(i)("web.map.find.previous"),
				() => U(i)("web.map.find.next"),
				() => U(a).trim() === "" ? "" : U(c) === null ? U(i)("web.map.find.no-words") : U(i)("web.map.find.count", { n: U(l).length }),
				() => U(i)("web.close")
			]), _i(m, () => U(a), (e) => F(a, e)), W("click", _, () => F(o, !0)), W("click", y, () => F(o, !1)), W("click", x, () => p(-1)), W("click", ee, g), q(e, t);
		}, v = (e) => {
			var t = ml(), n = L(t), r = I(n), o = R(r, !0), c = z(r);
			di(c), Zr(c, () => d), k(n);
			var l = z(n, 2), u = R(l, !0), f = z(l, 2), p = z(f, 2), m = (e) => {
				var t = pl(), n = R(t, !0);
				B(() => J(n, U(s))), q(e, t);
			};
			Y(p, (e) => {
				U(s) !== null && e(m);
			}), B((e, t, n, r) => {
				J(o, e), Q(c, "aria-invalid", U(s) !== null), l.disabled = t, J(u, n), Q(f, "aria-label", r);
			}, [
				() => U(i)("web.map.goto.label"),
				() => U(a).trim() === "",
				() => U(i)("web.map.goto.go"),
				() => U(i)("web.close")
			]), _i(c, () => U(a), (e) => F(a, e)), W("click", f, g), q(e, t);
		};
		Y(r, (e) => {
			n().asking === "find" ? e(h) : e(v, -1);
		}), k(t), _r("submit", t, m), W("keydown", t, _), q(e, t);
	}), q(e, v), j();
}
G(["keydown", "click"]);
// src/model/ComparePanel.svelte
var _l = /* @__PURE__ */ K("<span class=\"segments\"><button><span aria-hidden=\"true\">◀</span> </button> <button> <span aria-hidden=\"true\">▶</span></button></span>"), vl = /* @__PURE__ */ K("<p class=\"waiting\"> </p>"), yl = /* @__PURE__ */ K("<div class=\"census\"></div>"), bl = /* @__PURE__ */ K("<section class=\"part compare\"><header><h2> </h2> <!></header> <!></section>");
function xl(e, t) {
	A(t, !0);
	let n = /* @__PURE__ */ M(() => t.model.app.say), r = /* @__PURE__ */ M(() => t.model.compare), i = /* @__PURE__ */ M(() => t.model.against === "dump" ? t.model.opened?.dump ?? "" : t.model.against ?? ""), a = (e) => {
		let t = [...e.querySelectorAll("tbody tr")].map((e, t) => {
			let n = e.querySelector("td, th"), i = document.createElement("button");
			return i.className = "link", i.append(...n?.childNodes ?? []), i.addEventListener("click", () => U(r).go(t)), n?.append(i), i;
		});
		_n(() => {
			t.forEach((e, t) => {
				e.setAttribute("aria-current", String(t === U(r).at)), e.closest("tr")?.toggleAttribute("data-here", t === U(r).at);
			});
		});
	};
	var o = bl(), s = I(o), c = I(s), l = R(c, !0), u = z(c, 2), d = (e) => {
		var t = _l(), i = I(t), a = z(I(i));
		k(i);
		var o = z(i, 2), s = I(o);
		Ee(), k(o), k(t), B((e, t) => {
			J(a, ` ${e ?? ""}`), J(s, `${t ?? ""} `);
		}, [() => U(n)("web.check.previous"), () => U(n)("web.check.next")]), W("click", i, () => U(r).move(-1)), W("click", o, () => U(r).move(1)), q(e, t);
	};
	Y(u, (e) => {
		U(r).found !== null && U(r).found.worst.length > 0 && e(d);
	}), k(s);
	var f = z(s, 2), p = (e) => {
		var t = Or(), i = L(t), a = (e) => {
			var t = vl(), r = R(t, !0);
			B((e) => J(r, e), [() => U(n)("web.waiting")]), q(e, t);
		};
		Y(i, (e) => {
			U(r).isBusy && e(a);
		}), q(e, t);
	}, m = (e) => {
		var t = Or();
		Br(L(t), () => U(r).found, (e) => {
			var t = yl();
			Z(t, () => U(r).found.html, !0), k(t), Zr(t, () => a), q(e, t);
		}), q(e, t);
	};
	Y(f, (e) => {
		U(r).found === null ? e(p) : e(m, -1);
	}), k(o), B((e, t) => {
		Q(o, "aria-label", e), J(l, t);
	}, [() => U(n)("web.compare"), () => U(n)("web.compare.of", {
		head: t.model.head ?? "",
		other: U(i)
	})]), q(e, o), j();
}
G(["click"]);
// src/model/Thumb.svelte
var Sl = /* @__PURE__ */ K("<canvas aria-hidden=\"true\"></canvas>");
function Cl(e, t) {
	A(t, !0);
	let n = (e) => {
		let { codes: n, rows: r, columns: i } = t.thumb, a = e.getContext("2d");
		if (a === null || r === 0 || i === 0) return;
		e.width = i, e.height = r;
		let o = a.createImageData(i, r), s = (e) => Int32Array.from({ length: e }, (e, t) => t), c = {
			codes: n,
			width: i,
			top: 0,
			left: 0,
			step: 1
		};
		Wc(new Uint32Array(o.data.buffer), s(r), s(i), Math.max(r, i), () => c, {
			colours: Hc(t.colours),
			outside: 0,
			pending: 0
		}), a.putImageData(o, 0, 0);
	};
	var r = Sl();
	Zr(r, () => n), q(e, r), j();
}
// src/model/HeadGrid.svelte
var wl = /* @__PURE__ */ K("<span class=\"name\"> </span><span class=\"value\"> </span>", 1), Tl = /* @__PURE__ */ K("<button class=\"head\"><span class=\"thumb hatched\"><!></span> <!></button>"), El = /* @__PURE__ */ K("<option> </option>"), Dl = /* @__PURE__ */ K("<p class=\"formula\"> </p>"), Ol = /* @__PURE__ */ K("<div class=\"layer\"><span class=\"place\"> </span> <!></div>"), kl = /* @__PURE__ */ K("<p class=\"told\" aria-hidden=\"true\"><strong> </strong> </p>"), Al = /* @__PURE__ */ K("<div class=\"note\"></div>"), jl = /* @__PURE__ */ K("<section class=\"heads\"><header><h2> </h2> <label class=\"field inline\"><span> </span> <select><option> </option><!></select></label></header> <!> <div role=\"group\"><!></div> <!> <!></section>");
function Ml(e, t) {
	A(t, !0);
	let n = (e, n = d) => {
		let r = /* @__PURE__ */ M(() => t.model.heads.thumbs[n()]);
		var a = Tl(), o = I(a), s = I(o), f = (e) => {
			Cl(e, {
				get thumb() {
					return U(r);
				},
				get colours() {
					return U(i).table.colours;
				}
			});
		};
		Y(s, (e) => {
			U(r) !== void 0 && U(i) !== null && e(f);
		}), k(o);
		var p = z(o, 2), m = (e) => {
			var r = wl(), i = L(r), a = R(i, !0), o = R(z(i), !0);
			B((e) => {
				J(a, n()), J(o, e);
			}, [() => t.model.scoreOf(n())]), q(e, r);
		};
		Y(p, (e) => {
			U(c) && e(m);
		}), k(a), B((e, r) => {
			Q(a, "data-head", n()), Q(a, "aria-label", e), Q(a, "title", r), Q(a, "aria-pressed", t.model.head === n()), Q(a, "tabindex", U(u) === n() ? 0 : -1);
		}, [() => _(n()), () => _(n())]), W("click", a, () => t.model.setHead(n())), _r("focus", a, () => F(l, n(), !0)), _r("pointerenter", a, () => F(l, n(), !0)), _r("pointerleave", a, () => F(l, null)), q(e, a);
	}, r = /* @__PURE__ */ M(() => t.model.app.say), i = /* @__PURE__ */ M(() => t.model.page), a = /* @__PURE__ */ M(() => U(i)?.layers ?? []), o = /* @__PURE__ */ M(() => Math.max(1, ...U(a).map((e) => e.heads.length))), s = /* @__PURE__ */ M(() => t.model.sort !== null), c = /* @__PURE__ */ M(() => U(s) || U(o) <= 4), l = /* @__PURE__ */ P(null), u = /* @__PURE__ */ M(() => U(l) ?? t.model.head), f = /* @__PURE__ */ P(void 0), p = (e) => {
		F(f, e, !0);
		let n = new IntersectionObserver((e) => {
			for (let n of e) t.model.heads.see(n.target.dataset.head ?? "", n.isIntersecting);
		}, { rootMargin: "100px" }), r = /* @__PURE__ */ new Set(), i = () => {
			for (let t of e.querySelectorAll("[data-head]")) r.has(t) || (r.add(t), n.observe(t));
		};
		i();
		let a = new MutationObserver(i);
		return a.observe(e, {
			childList: !0,
			subtree: !0
		}), () => {
			n.disconnect(), a.disconnect();
		};
	}, m = (e) => e.style.setProperty("--heads", String(U(o)));
	function h(e) {
		let t = e.target instanceof Element ? e.target.closest("[data-head]")?.dataset.head : void 0;
		if (t === void 0 || e.ctrlKey || e.metaKey || e.altKey) return;
		let n = g(e.key, t);
		n !== null && (e.preventDefault(), F(l, n, !0), sr().then(() => U(f)?.querySelector(`[data-head="${CSS.escape(n)}"]`)?.focus()));
	}
	function g(e, n) {
		let { order: r } = t.model, i = r.indexOf(n), o = r.length - 1, c = {
			ArrowLeft: Math.max(i - 1, 0),
			ArrowRight: Math.min(i + 1, o),
			Home: 0,
			End: o
		}[e];
		if (c !== void 0) return r[c] ?? null;
		let l = {
			ArrowUp: -1,
			ArrowDown: 1
		}[e];
		if (l === void 0) return null;
		if (U(s)) return r[Math.min(Math.max(i + l, 0), o)] ?? null;
		let u = U(a).findIndex((e) => e.heads.includes(n)), d = U(a)[Ho(u, l, U(a).length)];
		return d?.heads[Math.min(U(a)[u]?.heads.indexOf(n) ?? 0, d.heads.length - 1)] ?? null;
	}
	let _ = (e) => [e, t.model.scoreOf(e)].filter(Boolean).join(", ");
	var v = Or(), y = L(v), b = (e) => {
		var o = jl(), l = I(o), d = I(l), f = R(d, !0), g = z(d, 2), _ = I(g), v = R(_, !0), y = z(_, 2), b = I(y), x = R(b, !0);
		b.value = b.__value = "", X(z(b), 17, () => U(i).scores, (e) => e.name, (e, t) => {
			var n = El(), r = R(n, !0), i = {};
			B(() => {
				J(r, U(t).label), i !== (i = U(t).name) && (n.value = (n.__value = i) ?? "");
			}), q(e, n);
		}), k(y);
		var S;
		ii(y), k(g), k(l);
		var C = z(l, 2);
		X(C, 17, () => U(i).scores.filter((e) => e.name === t.model.sort && e.about), (e) => e.name, (e, t) => {
			var n = Dl(), r = R(n, !0);
			B(() => J(r, U(t).about)), q(e, n);
		});
		var w = z(C, 2);
		let T;
		var E = I(w), ee = (e) => {
			var r = Or();
			X(L(r), 16, () => t.model.order, (e) => e, (e, t) => {
				n(e, () => t);
			}), q(e, r);
		}, te = (e) => {
			var t = Or();
			X(L(t), 17, () => U(a), (e) => e.place, (e, t) => {
				var r = Ol(), i = I(r), a = R(i, !0);
				X(z(i, 2), 16, () => U(t).heads, (e) => e, (e, t) => {
					n(e, () => t);
				}), k(r), B(() => {
					Q(i, "title", U(t).title), J(a, U(t).place);
				}), q(e, r);
			}), q(e, t);
		};
		Y(E, (e) => {
			U(s) ? e(ee) : e(te, -1);
		}), k(w), Zr(w, () => p), Zr(w, () => m);
		var ne = z(w, 2), re = (e) => {
			var n = kl(), r = I(n), i = R(r, !0), a = z(r);
			k(n), B((e) => {
				J(i, U(u)), J(a, ` ${e ?? ""}`);
			}, [() => U(u) === null ? "" : t.model.scoreOf(U(u))]), q(e, n);
		};
		Y(ne, (e) => {
			U(c) || e(re);
		});
		var ie = z(ne, 2), ae = (e) => {
			var t = Al();
			Z(t, () => U(i).thumbnails, !0), k(t), q(e, t);
		};
		Y(ie, (e) => {
			U(i).thumbnails && e(ae);
		}), k(o), B((e, n, r, i, a) => {
			Q(o, "aria-label", e), J(f, n), J(v, r), J(x, i), S !== (S = t.model.sort ?? "") && (y.value = (y.__value = S) ?? "", ri(y, S)), T = ei(w, 1, "grid", null, T, {
				sorted: U(s),
				roomy: U(c)
			}), Q(w, "aria-label", a);
		}, [
			() => U(r)("web.heads"),
			() => U(r)("web.heads"),
			() => U(r)("web.heads.sort"),
			() => U(r)("web.heads.place"),
			() => U(r)("web.heads.grid")
		]), W("change", y, (e) => t.model.setSort(e.currentTarget.value || null)), W("keydown", w, h), q(e, o);
	};
	Y(y, (e) => {
		U(i) !== null && e(b);
	}), q(e, v), j();
}
G([
	"click",
	"change",
	"keydown"
]);
// src/model/Legend.svelte
var Nl = /* @__PURE__ */ K("<span class=\"tick\"> </span>"), Pl = /* @__PURE__ */ K("<span class=\"scale\"><canvas aria-hidden=\"true\"></canvas> <!></span>"), Fl = /* @__PURE__ */ K("<div role=\"group\"><span class=\"label\"> </span> <!> <span class=\"key\"><span class=\"swatch hatched\"></span> </span> <span class=\"pooling\"><!></span></div>");
function Il(e, t) {
	A(t, !0);
	let n = /* @__PURE__ */ M(() => t.model.app.say), r = /* @__PURE__ */ M(() => t.model.table ?? t.model.page?.table ?? null), i = /* @__PURE__ */ M(() => Ac(t.model.grain)), a = (e) => {
		let t = U(r)?.colours ?? [], n = e.getContext("2d");
		n !== null && (e.width = 255, e.height = 1, t.slice(1).forEach((e, t) => {
			n.fillStyle = e, n.fillRect(t, 0, 1, 1);
		}));
	}, o = (e) => {
		let t = new ResizeObserver(() => {
			let t = -Infinity, n = [...e.querySelectorAll(".tick")], r = n.at(-1)?.getBoundingClientRect().left ?? 0;
			for (let e of n) {
				let { left: i, right: a } = e.getBoundingClientRect(), o = i > t + 6 && (e === n.at(-1) || a < r - 6);
				e.style.visibility = o ? "visible" : "hidden", o && (t = a);
			}
		});
		return t.observe(e), () => t.disconnect();
	}, s = (e) => (t) => {
		let n = (e - .5) / 255;
		t.style.left = `${n * 100}%`, t.dataset.end = n < .06 ? "first" : n > .94 ? "last" : "";
	};
	var c = Or(), l = L(c), u = (e) => {
		var c = Fl();
		let l;
		var u = I(c), d = R(u, !0), f = z(u, 2);
		Br(f, () => U(r), (e) => {
			var t = Pl(), n = I(t);
			Zr(n, () => a), X(z(n, 2), 17, () => U(r).ticks, (e) => e.code, (e, t) => {
				var n = Nl(), r = R(n, !0);
				Zr(n, () => s(U(t).code)), B(() => J(r, U(t).text)), q(e, n);
			}), k(t), Zr(t, () => o), q(e, t);
		});
		var p = z(f, 2), m = z(I(p), 1, !0);
		k(p);
		var h = z(p, 2), g = I(h), _ = (e) => {
			var t = Or();
			Z(L(t), () => U(r).html), q(e, t);
		}, v = (e) => {
			var t = Dr();
			B((e) => J(t, e), [() => U(n)("web.map.one")]), q(e, t);
		}, y = (e) => {
			var t = Dr();
			B((e) => J(t, e), [() => U(n)("web.map.pooled", { n: U(i) })]), q(e, t);
		};
		Y(g, (e) => {
			t.model.grain.factor === 1 && U(r).html ? e(_) : U(i) === 1 ? e(v, 1) : e(y, -1);
		}), k(h), k(c), B((e, n) => {
			l = ei(c, 1, "legend-of-map", null, l, { waiting: t.model.table === null }), Q(c, "aria-label", e), J(d, U(r).label), J(m, n);
		}, [() => U(n)("web.map.legend"), () => U(n)("web.map.masked")]), q(e, c);
	};
	Y(l, (e) => {
		U(r) !== null && e(u);
	}), q(e, c), j();
}
// src/lib/hash.ts
var Ll = {
	lang: null,
	example: null,
	data: null,
	precision: "auto",
	carry: null,
	layout: "step",
	step: null,
	cell: null,
	cover: !1,
	seed: null,
	blanks: null
}, Rl = /^(auto|exact|\d{1,4})$/;
async function zl(e) {
	let t = e.data === null ? null : await Gl(e.data), n = [
		["example", e.data === null ? e.example : null],
		["data", t],
		["layout", e.layout === "all" ? "all" : null],
		["step", e.step],
		["cell", e.cell],
		["digits", e.precision === "auto" ? null : e.precision],
		["carry", Vl(e.carry)],
		["cover", e.cover ? "1" : null],
		["quiz", Vl(e.seed)],
		["blanks", e.seed === null ? null : Vl(e.blanks)],
		["lang", e.lang]
	].filter((e) => e[1] !== null);
	return n.length === 0 ? "" : `#${n.map(([e, t]) => `${e}=${Ul(t)}`).join("&")}`;
}
async function Bl(e) {
	let t = /* @__PURE__ */ new Map();
	for (let n of e.replace(/^#/, "").split("&")) {
		let [e = "", r = ""] = n.split("=", 2);
		t.set(e, Wl(r));
	}
	let n = (e) => t.get(e) || null, r = n("lang"), i = n("digits") ?? "auto", a = n("data");
	return {
		lang: r === "en" || r === "zh" ? r : null,
		example: n("example"),
		data: a === null ? null : await Kl(a),
		precision: Rl.test(i) ? i : "auto",
		carry: Hl(n("carry")),
		layout: n("layout") === "all" ? "all" : "step",
		step: n("step"),
		cell: n("cell"),
		cover: n("cover") === "1",
		seed: Hl(n("quiz")),
		blanks: Hl(n("blanks"))
	};
}
function Vl(e) {
	return e === null ? null : String(e);
}
function Hl(e) {
	return e !== null && /^\d{1,9}$/.test(e) ? Number(e) : null;
}
function Ul(e) {
	return encodeURIComponent(e).replace(/%(5B|5D|2C|3A)/g, (e) => decodeURIComponent(e));
}
function Wl(e) {
	try {
		return decodeURIComponent(e);
	} catch {
		return "";
	}
}
async function Gl(e) {
	let t = new Blob([e]).stream().pipeThrough(new CompressionStream("deflate-raw")), n = new Uint8Array(await new Response(t).arrayBuffer()), r = "";
	for (let e of n) r += String.fromCharCode(e);
	return btoa(r).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
async function Kl(e) {
	try {
		let t = atob(e.replaceAll("-", "+").replaceAll("_", "/")), n = Uint8Array.from(t, (e) => e.charCodeAt(0)), r = new Blob([n]).stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream("utf-8", { fatal: !0 })).getReader(), i = "";
		for (;;) {
			let { done: e, value: t } = await r.read();
			if (e) return i;
			if (i += t, i.length > 2e6) return await r.cancel(), null;
		}
	} catch {
		return null;
	}
}
// src/model/hash.ts
var ql = {
	lang: null,
	recording: null,
	head: null,
	cell: null,
	address: null,
	middle: null,
	z: null,
	sort: null,
	pooled: "max",
	against: null,
	stages: !1,
	table: !1
}, Jl = "dump";
function Yl(e) {
	let { cell: t, middle: n } = e, r = [
		["recording", e.recording],
		["head", e.head],
		["cell", t === null ? null : `${t.query},${t.key}`],
		["address", e.address],
		["z", e.z === null || n === null ? null : Ql(e.z, 2)],
		["at", e.z === null || n === null ? null : `${Ql(n.y, 1)},${Ql(n.x, 1)}`],
		["sort", e.sort],
		["pooled", e.pooled === "max" ? null : e.pooled],
		["against", e.against],
		["stages", e.stages ? "1" : null],
		["table", e.table ? "1" : null],
		["lang", e.lang]
	].filter((e) => e[1] !== null);
	return r.length === 0 ? "" : `#${r.map(([e, t]) => `${e}=${Ul(t)}`).join("&")}`;
}
function Xl(e) {
	let t = /* @__PURE__ */ new Map();
	for (let n of e.replace(/^#/, "").split("&")) {
		let [e = "", r = ""] = n.split("=", 2);
		t.set(e, Wl(r));
	}
	let n = (e) => t.get(e) || null, r = n("lang"), i = Zl(n("cell"), /^(\d{1,9}),(\d{1,9})$/), a = Zl(n("at"), /^(\d{1,9}(?:\.\d+)?),(\d{1,9}(?:\.\d+)?)$/), o = /^-?\d{1,2}(\.\d+)?$/.test(n("z") ?? "") ? Number(n("z")) : null, s = a ?? i?.map((e) => e + .5) ?? null;
	return {
		lang: r === "en" || r === "zh" ? r : null,
		recording: n("recording"),
		head: n("head"),
		cell: i === null ? null : {
			query: i[0] ?? 0,
			key: i[1] ?? 0
		},
		address: n("address"),
		middle: s === null || o === null ? null : {
			y: s[0] ?? 0,
			x: s[1] ?? 0
		},
		z: s === null ? null : o,
		sort: n("sort"),
		pooled: n("pooled") === "sum" ? "sum" : "max",
		against: n("against"),
		stages: n("stages") === "1",
		table: n("table") === "1"
	};
}
function Zl(e, t) {
	return t.exec(e ?? "")?.slice(1).map(Number) ?? null;
}
function Ql(e, t) {
	return String(Number(e.toFixed(t)));
}
// src/model/heads.svelte.ts
var $l = 16, eu = class {
	ask;
	fail;
	#e = /* @__PURE__ */ P({});
	get thumbs() {
		return U(this.#e);
	}
	set thumbs(e) {
		F(this.#e, e);
	}
	wanted = /* @__PURE__ */ new Set();
	asking = null;
	isSoon = !1;
	constructor(e, t) {
		this.ask = e, this.fail = t;
	}
	see(e, t) {
		t ? e in this.thumbs || this.wanted.add(e) : this.wanted.delete(e), this.isSoon || this.asking !== null || (this.isSoon = !0, queueMicrotask(() => {
			this.isSoon = !1, this.next();
		}));
	}
	forget() {
		this.asking?.abort(), this.wanted.clear(), this.thumbs = {};
	}
	async next() {
		let e = [...this.wanted].slice(0, $l);
		if (e.length === 0 || this.asking !== null) return;
		let t = this.asking = new AbortController();
		for (let t of e) this.wanted.delete(t);
		try {
			let { thumbs: n, shape: r } = await this.ask(e, t.signal);
			if (t.signal.aborted) return;
			let i = {};
			for (let t of e) {
				let [e, a] = [n[t], r[t]];
				e === void 0 || a === void 0 ? this.wanted.add(t) : i[t] = {
					codes: Jc(e),
					rows: a[0],
					columns: a[1]
				};
			}
			this.thumbs = {
				...this.thumbs,
				...i
			};
		} catch (e) {
			gs(e) || this.fail(e);
			return;
		} finally {
			this.asking === t && (this.asking = null);
		}
		this.next();
	}
};
function tu(e) {
	return e.layers.flatMap((e) => e.heads);
}
function nu(e, t) {
	let n = tu(e);
	if (t === null) return n;
	let r = (n) => e.heads[n]?.sort[t] ?? -Infinity;
	return n.toSorted((e, t) => r(t) === r(e) ? 0 : r(t) - r(e));
}
// src/model/gestures.ts
var ru = 5, iu = 1 / 240, au = 20;
function ou(e, t, n, r) {
	let i = /* @__PURE__ */ new Map(), a = 0, o = 0, s = (n) => {
		let r = e.getBoundingClientRect(), { x: i, y: a } = t();
		return {
			x: n.clientX - r.left - i,
			y: n.clientY - r.top - a
		};
	}, c = (t) => {
		(t.pointerType !== "mouse" || t.button === 0) && (i.size === 0 && (a = o = 0), i.set(t.pointerId, s(t)), o = Math.max(o, i.size), e.setPointerCapture(t.pointerId));
	}, l = (e) => {
		let t = s(e), r = i.get(e.pointerId);
		if (r === void 0) {
			n.point(t);
			return;
		}
		let o = [...i].find(([t]) => t !== e.pointerId)?.[1];
		i.set(e.pointerId, t), a += Math.hypot(t.x - r.x, t.y - r.y), o === void 0 ? a > ru && n.pan(r.x - t.x, r.y - t.y) : u(r, t, o);
	}, u = (e, t, r) => {
		let [i, a] = [Math.hypot(e.x - r.x, e.y - r.y), Math.hypot(t.x - r.x, t.y - r.y)], o = {
			x: (t.x + r.x) / 2,
			y: (t.y + r.y) / 2
		};
		i > 0 && a > 0 && n.zoom(Math.log2(a / i), o), n.pan((e.x - t.x) / 2, (e.y - t.y) / 2);
	}, d = (e) => {
		i.delete(e.pointerId) && e.type === "pointerup" && i.size === 0 && o === 1 && a <= ru && n.press(s(e));
	};
	e.addEventListener("pointerdown", c, { signal: r }), e.addEventListener("pointermove", l, { signal: r }), e.addEventListener("pointerup", d, { signal: r }), e.addEventListener("pointercancel", d, { signal: r }), e.addEventListener("pointerleave", () => n.point(null), { signal: r }), e.addEventListener("wheel", (e) => {
		let t = e.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : au;
		if (e.ctrlKey || e.metaKey) n.zoom(-e.deltaY * t * iu * (e.ctrlKey ? 2 : 1), s(e));
		else if (!n.pan(su(e) * t, e.shiftKey ? 0 : e.deltaY * t)) return;
		e.preventDefault();
	}, {
		signal: r,
		passive: !1
	});
}
function su(e) {
	return e.shiftKey && e.deltaX === 0 ? e.deltaY : e.deltaX;
}
// src/model/map.ts
var cu = 112, lu = 64, uu = .5, du = class {
	root;
	does;
	cells = document.createElement("canvas");
	over = document.createElement("canvas");
	mini = document.createElement("canvas");
	stop = new AbortController();
	watch;
	scene = null;
	palette = {
		colours: /* @__PURE__ */ new Uint32Array(256),
		outside: 0,
		pending: 0
	};
	colours = [];
	inks = {
		ink: "#000",
		soft: "#555",
		ground: "#eee",
		mark: "#00f",
		font: "sans-serif"
	};
	view = {
		x: 0,
		y: 0,
		z: 0
	};
	wish = null;
	isFitted = !0;
	cell = null;
	pointed = null;
	grain = {
		level: 0,
		factor: 1
	};
	frame = 0;
	size = {
		width: 0,
		height: 0
	};
	origin = {
		x: 0,
		y: 0
	};
	constructor(e, t) {
		this.root = e, this.does = t, this.cells.className = "cells hatched", this.over.className = "over", this.mini.className = "mini hatched";
		for (let t of [
			this.cells,
			this.over,
			this.mini
		]) t.setAttribute("aria-hidden", "true"), t.width = t.height = 0, e.append(t);
		this.watch = new ResizeObserver(() => this.resize()), this.watch.observe(e);
		let { signal: n } = this.stop;
		ou(this.over, () => this.origin, this.hands(), n), this.watchMini(n), this.recolour();
	}
	destroy() {
		this.stop.abort(), this.watch.disconnect(), cancelAnimationFrame(this.frame);
		for (let e of [
			this.cells,
			this.over,
			this.mini
		]) e.remove();
	}
	show(e) {
		let t = this.scene?.extent.queries === e.extent.queries && this.scene.extent.keys === e.extent.keys;
		this.scene = e, this.pointed = null, t || (this.cell = null), this.root.style.setProperty("--queries-per-key", String(e.extent.queries / e.extent.keys)), this.root.style.setProperty("--most", `${e.extent.queries * 56}px`), this.settle(t);
	}
	setTable(e) {
		this.colours = e.colours, this.palette = {
			...this.palette,
			colours: Hc(e.colours)
		}, this.redraw();
	}
	setCell(e) {
		this.cell = e, e !== null && this.scene !== null && this.size.width > 0 && this.look(Dc(this.view, e.query, e.key, this.scene.extent, this.size)), this.redraw();
	}
	lookAt(e) {
		this.wish = e, this.isFitted = e === null, this.settle(!1);
	}
	place() {
		return this.scene === null || this.size.width === 0 ? this.wish : this.isFitted ? null : {
			middle: Ec(this.view, this.size),
			z: this.view.z
		};
	}
	recolour() {
		let e = getComputedStyle(this.root), t = (t, n) => e.getPropertyValue(t).trim() || n, n = (e, n) => gu(this.root, t(e, n));
		this.inks = {
			ink: n("--ink", "#000"),
			soft: n("--soft", "#555"),
			ground: n("--ground", "#eee"),
			mark: n("--link", "#00f"),
			font: e.fontFamily
		}, this.palette = {
			...this.palette,
			outside: Vc(this.inks.ground),
			pending: Vc(n("--line", "#ddd"))
		}, this.redraw();
	}
	zoom(e, t = {
		x: this.size.width / 2,
		y: this.size.height / 2
	}) {
		this.scene !== null && this.look(Cc(this.view, e, t, this.scene.extent, this.size));
	}
	zoomAtCell(e) {
		let { cell: t, view: n, size: r } = this, i = vc(n), a = t === null ? null : {
			x: (t.key + .5 - n.x) * i,
			y: (t.query + .5 - n.y) * i
		}, o = a !== null && a.x >= 0 && a.y >= 0 && a.x <= r.width && a.y <= r.height;
		this.zoom(e, o ? a : void 0);
	}
	fit() {
		this.scene !== null && (this.isFitted = !0, this.put(bc(this.scene.extent, this.size)));
	}
	dive(e) {
		if (this.scene === null) return;
		let t = Math.max(this.view.z, Math.log2(lu)), n = xc({
			...this.view,
			z: t
		}, this.scene.extent, this.size);
		this.look(Tc(n, e.query, e.key, this.scene.extent, this.size));
	}
	sight() {
		return this.scene === null ? null : {
			...Bc(this.view, this.scene.extent, this.size),
			grain: this.grain
		};
	}
	redraw() {
		this.frame === 0 && (this.frame = requestAnimationFrame(() => this.draw()));
	}
	resize() {
		let { clientWidth: e } = this.root;
		this.root.style.setProperty("--wide", `${e}px`);
		let t = e < 520;
		this.origin = {
			x: t ? 58 : 84,
			y: t ? 52 : 64
		}, this.root.style.setProperty("--beside", `${this.origin.x}px`), this.root.style.setProperty("--above", `${this.origin.y}px`);
		let { clientHeight: n } = this.root;
		this.size = {
			width: Math.max(0, e - this.origin.x),
			height: Math.max(0, n - this.origin.y)
		};
		let { x: r, y: i } = this.origin;
		this.cells.style.left = `${r}px`, this.cells.style.top = `${i}px`, pu(this.cells, this.size), pu(this.over, {
			width: e,
			height: n
		}), this.settle(!0);
	}
	settle(e) {
		let { scene: t, size: n } = this;
		if (!(t === null || n.width < 1 || n.height < 1)) {
			if (this.wish !== null) {
				let { middle: e, z: r } = this.wish, i = 2 ** r;
				this.wish = null, this.isFitted = !1, this.put(xc({
					x: e.x - n.width / i / 2,
					y: e.y - n.height / i / 2,
					z: r
				}, t.extent, n));
			} else this.isFitted || !e ? this.fit() : this.put(xc(this.view, t.extent, n));
		}
	}
	look(e) {
		this.scene !== null && e !== this.view && (this.isFitted = e.z <= yc(this.scene.extent, this.size) + 1e-9, this.put(e));
	}
	put(e) {
		this.scene !== null && (this.view = e, this.grain = Mc(e, this.scene.extent, this.size, fu(), this.scene.isTogether), this.redraw(), this.does.looked(e, this.grain));
	}
	hands() {
		return {
			pan: (e, t) => {
				let { scene: n, view: r } = this;
				if (n === null) return !1;
				let i = wc(r, e, t, n.extent, this.size);
				return i.x === r.x && i.y === r.y ? !1 : (this.look(i), !0);
			},
			zoom: (e, t) => this.zoom(e, t),
			press: (e) => {
				let t = this.scene === null || e.x < 0 || e.y < 0 ? null : kc(this.view, e, this.scene.extent);
				t !== null && this.does.choose(t, this.grain);
			},
			point: (e) => {
				let t = this.scene === null || e === null || e.x < 0 || e.y < 0 ? null : kc(this.view, e, this.scene.extent);
				(t?.query !== this.pointed?.query || t?.key !== this.pointed?.key) && (this.pointed = t, this.does.point(t), this.redraw());
			}
		};
	}
	draw() {
		this.frame = 0;
		let { scene: e, size: t, view: n, grain: r } = this;
		if (e === null || t.width < 1 || t.height < 1) return;
		this.ask(e), hu(this.cells, e, n, r, vc(n) * fu(), this.palette);
		let i = this.over.getContext("2d");
		i !== null && (i.setTransform(fu(), 0, 0, fu(), 0, 0), Yc(i, {
			view: n,
			extent: e.extent,
			size: t,
			origin: this.origin,
			inks: this.inks,
			queryWords: e.queryWords,
			keyWords: e.keyWords,
			cell: this.cell,
			pointed: this.pointed,
			digits: e.digits === null ? null : (t, n) => e.digits?.get(t, n),
			colour: (t, n) => this.colourOf(e, t, n),
			x: (e) => this.origin.x + Rc(e, n.x, 1 / (vc(n) * fu())) / fu(),
			y: (e) => this.origin.y + Rc(e, n.y, 1 / (vc(n) * fu())) / fu()
		})), this.drawMini(e), this.root.setAttribute("aria-busy", String(e.tiles.isWaiting));
	}
	ask(e) {
		let { queries: t, keys: n } = Bc(this.view, e.extent, this.size), r = 256 * 16 ** this.grain.level, i = [];
		for (let e = Math.floor(t[0] / r); e * r < t[1]; e++) for (let t = Math.floor(n[0] / r); t * r < n[1]; t++) i.push({
			level: this.grain.level,
			row: e,
			column: t
		});
		let a = (e) => Math.hypot((e.row + .5) * r - (t[0] + t[1]) / 2, (e.column + .5) * r - (n[0] + n[1]) / 2);
		i.sort((e, t) => a(e) - a(t));
		let o = this.isWhole() ? null : this.miniGrain(e).level;
		e.tiles.want(o === null || o === this.grain.level ? i : [...mu(e.extent, o), ...i]), e.digits !== null && vc(this.view) >= 44 && e.digits.want("map", t, n);
	}
	colourOf(e, t, n) {
		let r = e.tiles.codes(0, Math.floor(t / 256), Math.floor(n / 256)), i = r === null ? 0 : r.codes[t % 256 * r.width + n % 256] ?? 0;
		return i === 0 ? null : this.colours[i] ?? null;
	}
	isWhole() {
		return this.scene === null || this.view.z <= yc(this.scene.extent, this.size) + 1e-9;
	}
	miniSize(e) {
		let t = Math.min(cu / e.keys, cu / e.queries);
		return {
			width: Math.max(8, Math.round(e.keys * t)),
			height: Math.max(8, Math.round(e.queries * t))
		};
	}
	miniGrain(e) {
		let t = this.miniSize(e.extent);
		return Mc({
			x: 0,
			y: 0,
			z: Math.log2(t.width / e.extent.keys)
		}, e.extent, t, fu(), e.isTogether);
	}
	drawMini(e) {
		if (this.mini.hidden = this.isWhole(), this.mini.hidden) return;
		let t = this.miniSize(e.extent), n = t.width / e.extent.keys;
		pu(this.mini, t);
		let r = {
			x: 0,
			y: 0,
			z: Math.log2(n)
		};
		hu(this.mini, e, r, this.miniGrain(e), n * fu(), this.palette);
		let i = this.mini.getContext("2d");
		if (i === null) return;
		i.setTransform(fu(), 0, 0, fu(), 0, 0);
		let { queries: a, keys: o } = Bc(this.view, e.extent, this.size), [s, c] = [Math.max(4, (o[1] - o[0]) * n), Math.max(4, (a[1] - a[0]) * n)];
		for (let [e, t] of [["#fff", 4], [this.inks.mark, 2]]) i.strokeStyle = e, i.lineWidth = t, i.strokeRect(o[0] * n, a[0] * n, s, c);
	}
	watchMini(e) {
		let t = (e) => {
			if (this.scene === null || e.buttons === 0) return;
			let t = this.mini.getBoundingClientRect(), { queries: n, keys: r } = this.scene.extent, [i, a] = [(e.clientX - t.left) / t.width * r, (e.clientY - t.top) / t.height * n];
			this.look(Tc(this.view, a - .5, i - .5, this.scene.extent, this.size));
		};
		this.mini.addEventListener("pointerdown", (e) => {
			this.mini.setPointerCapture(e.pointerId), t(e);
		}, { signal: e }), this.mini.addEventListener("pointermove", t, { signal: e });
	}
}, fu = () => window.devicePixelRatio || 1;
function pu(e, t) {
	let [n, r] = [Math.round(t.width * fu()), Math.round(t.height * fu())];
	e.width !== n && (e.width = n), e.height !== r && (e.height = r), e.style.width = `${t.width}px`, e.style.height = `${t.height}px`;
}
function mu(e, t) {
	let n = {
		level: t,
		factor: 1
	}, r = [];
	for (let i = 0; i * 256 < Ic(e.queries, n); i++) for (let a = 0; a * 256 < Ic(e.keys, n); a++) r.push({
		level: t,
		row: i,
		column: a
	});
	return r;
}
function hu(e, t, n, r, i, a) {
	let o = e.getContext("2d");
	if (o === null || e.width === 0 || e.height === 0) return;
	let s = o.createImageData(e.width, e.height), c = Lc(n.y, 1 / i, e.height, t.extent.queries, r), l = Lc(n.x, 1 / i, e.width, t.extent.keys, r);
	Wc(new Uint32Array(s.data.buffer), c, l, 256 / r.factor, (e, n) => t.tiles.get(r, e, n), a), o.putImageData(s, 0, 0);
}
function gu(e, t) {
	let n = document.createElement("span");
	n.style.color = t, e.append(n);
	let r = /rgba?\((\d+),\s*(\d+),\s*(\d+)/.exec(getComputedStyle(n).color);
	return n.remove(), r === null ? "#888888" : `#${r.slice(1, 4).map((e) => Number(e).toString(16).padStart(2, "0")).join("")}`;
}
// src/model/MapTools.svelte
var _u = /* @__PURE__ */ K("<option> </option>"), vu = /* @__PURE__ */ K("<span class=\"segments\"><button>◀</button> <label class=\"hidden\" for=\"head-of-map\"> </label> <select id=\"head-of-map\"></select> <button>▶</button></span>"), yu = /* @__PURE__ */ K("<strong> </strong>"), bu = /* @__PURE__ */ K("<button> </button>"), xu = /* @__PURE__ */ K("<span class=\"segments\" role=\"group\"></span>"), Su = /* @__PURE__ */ K("<label class=\"field inline\"><span> </span> <select><option> </option><!><!></select></label>"), Cu = /* @__PURE__ */ K("<button class=\"quiet\"> </button>"), wu = /* @__PURE__ */ K("<div class=\"toolbar map-tools\" role=\"group\"><!> <span class=\"segments\"><button>−</button> <button>+</button> <button> </button> <!></span> <!> <!> <button> </button> <button> </button> <button aria-controls=\"reader\"> </button> <!> <!></div>");
function Tu(e, t) {
	A(t, !0);
	let n = Ti(t, "model", 7), r = /* @__PURE__ */ M(() => n().app), i = /* @__PURE__ */ M(() => U(r).say), a = /* @__PURE__ */ M(() => U(r).api.offers), o = /* @__PURE__ */ M(() => n().page === null ? [] : tu(n().page)), s = /* @__PURE__ */ M(() => U(o).filter((e) => e !== n().head)), c = /* @__PURE__ */ M(() => n().against !== null);
	var l = wu(), u = I(l), d = (e) => {
		var t = vu(), r = I(t), a = z(r, 2), s = R(a, !0), c = z(a, 2);
		X(c, 20, () => U(o), (e) => e, (e, t) => {
			var n = _u(), r = R(n, !0), i = {};
			B(() => {
				J(r, t), i !== (i = t) && (n.value = (n.__value = i) ?? "");
			}), q(e, n);
		}), k(c);
		var l;
		ii(c);
		var u = z(c, 2);
		k(t), B((e, t, i, a, d, f) => {
			Q(r, "aria-label", e), Q(r, "title", t), r.disabled = n().head === U(o)[0], J(s, i), l !== (l = n().head) && (c.value = (c.__value = l) ?? "", ri(c, l)), Q(u, "aria-label", a), Q(u, "title", d), u.disabled = f;
		}, [
			() => U(i)("web.map.head.previous"),
			() => U(i)("web.map.head.previous"),
			() => U(i)("web.map.head.choose"),
			() => U(i)("web.map.head.next"),
			() => U(i)("web.map.head.next"),
			() => n().head === U(o).at(-1)
		]), W("click", r, () => n().step("head", -1)), W("change", c, (e) => n().setHead(e.currentTarget.value)), W("click", u, () => n().step("head", 1)), q(e, t);
	}, f = (e) => {
		var t = yu(), r = R(t, !0);
		B(() => J(r, n().head)), q(e, t);
	};
	Y(u, (e) => {
		U(o).length > 1 ? e(d) : e(f, -1);
	});
	var p = z(u, 2), m = I(p), h = z(m, 2), g = z(h, 2), _ = R(g, !0), v = z(g, 2), y = (e) => {
		var t = bu(), r = R(t, !0);
		B((e) => J(r, e), [() => U(i)("web.map.close")]), W("click", t, () => n().cell !== null && n().map?.dive(n().cell)), q(e, t);
	}, b = /* @__PURE__ */ M(() => U(a).has("digits"));
	Y(v, (e) => {
		U(b) && e(y);
	}), k(p);
	var x = z(p, 2), S = (e) => {
		var t = xu();
		X(t, 20, () => ["max", "sum"], (e) => e, (e, t) => {
			var r = bu(), a = R(r, !0);
			B((e) => {
				Q(r, "aria-pressed", n().pooled === t), J(a, e);
			}, [() => U(i)(`web.map.pooling.${t}`)]), W("click", r, () => n().setPooled(t)), q(e, r);
		}), k(t), B((e) => Q(t, "aria-label", e), [() => U(i)("web.map.pooling")]), q(e, t);
	};
	Y(x, (e) => {
		U(c) || e(S);
	});
	var C = z(x, 2), w = (e) => {
		var t = Su(), r = I(t), a = R(r, !0), o = z(r, 2), c = I(o), l = R(c, !0);
		c.value = c.__value = "";
		var u = z(c), d = (e) => {
			var t = _u(), r = R(t, !0), i = {};
			B(() => {
				J(r, n().opened.dump), i !== (i = "dump") && (t.value = (t.__value = i) ?? "");
			}), q(e, t);
		};
		Y(u, (e) => {
			n().opened?.dump && e(d);
		}), X(z(u), 16, () => U(s), (e) => e, (e, t) => {
			var n = _u(), r = R(n, !0), i = {};
			B(() => {
				J(r, t), i !== (i = t) && (n.value = (n.__value = i) ?? "");
			}), q(e, n);
		}), k(o);
		var f;
		ii(o), k(t), B((e, t) => {
			J(a, e), J(l, t), f !== (f = n().against ?? "") && (o.value = (o.__value = f) ?? "", ri(o, f));
		}, [() => U(i)("web.map.against"), () => U(i)("web.map.against.none")]), W("change", o, (e) => n().setAgainst(e.currentTarget.value || null)), q(e, t);
	}, T = /* @__PURE__ */ M(() => U(a).has("worst") && (U(s).length > 0 || n().opened?.dump));
	Y(C, (e) => {
		U(T) && e(w);
	});
	var E = z(C, 2), ee = R(E, !0), te = z(E, 2), ne = R(te, !0), re = z(te, 2), ie = R(re, !0), ae = z(re, 2), oe = (e) => {
		var t = bu(), r = R(t, !0);
		B((e) => {
			Q(t, "aria-pressed", n().isStaged), J(r, e);
		}, [() => U(i)("web.stages")]), W("click", t, () => n().setStaged(!n().isStaged)), q(e, t);
	}, se = /* @__PURE__ */ M(() => U(a).has("pipeline"));
	Y(ae, (e) => {
		U(se) && e(oe);
	});
	var ce = z(ae, 2), le = (e) => {
		var t = Cu(), r = R(t, !0);
		B((e) => J(r, e), [() => U(i)("web.map.figure")]), W("click", t, () => n().figure()), q(e, t);
	}, ue = /* @__PURE__ */ M(() => U(a).has("figure"));
	Y(ce, (e) => {
		U(ue) && e(le);
	}), k(l), B((e, t, r, i, a, o, s, c, u) => {
		Q(l, "aria-label", e), Q(m, "aria-label", t), Q(m, "title", r), Q(h, "aria-label", i), Q(h, "title", a), J(_, o), Q(E, "aria-pressed", n().asking === "find"), J(ee, s), Q(te, "aria-pressed", n().asking === "goto"), J(ne, c), Q(re, "aria-pressed", n().isTabled), J(ie, u);
	}, [
		() => U(i)("web.map.tools"),
		() => U(i)("web.map.zoom.out"),
		() => U(i)("web.map.zoom.out"),
		() => U(i)("web.map.zoom.in"),
		() => U(i)("web.map.zoom.in"),
		() => U(i)("web.map.fit"),
		() => U(i)("web.map.find"),
		() => U(i)("web.map.goto"),
		() => U(i)("web.map.table")
	]), W("click", m, () => n().map?.zoomAtCell(-uu)), W("click", h, () => n().map?.zoomAtCell(uu)), W("click", g, () => n().map?.fit()), W("click", E, () => n().asking = n().asking === "find" ? null : "find"), W("click", te, () => n().asking = n().asking === "goto" ? null : "goto"), W("click", re, () => n().setTabled(!n().isTabled)), q(e, l), j();
}
G(["click", "change"]);
// src/model/MapView.svelte
var Eu = /* @__PURE__ */ K("<span> </span>"), Du = /* @__PURE__ */ K("<div class=\"map\"></div> <p class=\"under\" aria-hidden=\"true\"><!> <strong> </strong></p>", 1);
function Ou(e, t) {
	A(t, !0);
	let n = Ti(t, "model", 7), r = /* @__PURE__ */ M(() => n().app.say), i = (e) => {
		let t = new du(e, {
			choose: (e, t) => void n().press(e, t),
			point: (e) => n().pointed = e,
			looked: (e, t) => n().looked(t)
		});
		n().map = t, ur(() => n().stage());
		let r = window.matchMedia("(prefers-color-scheme: dark)"), i = () => t.recolour();
		r.addEventListener("change", i);
		let a = new MutationObserver(i);
		return a.observe(n().app.root, {
			attributes: !0,
			attributeFilter: ["data-theme"]
		}), () => {
			r.removeEventListener("change", i), a.disconnect(), n().map = null, t.destroy();
		};
	}, a = /* @__PURE__ */ M(() => n().pointed ?? n().cell), o = (e, t) => {
		let n = e?.[t];
		return n === void 0 ? String(t) : `${t} “${ol(n)}”`;
	};
	var s = Du(), c = L(s);
	Zr(c, () => i);
	var l = z(c, 2), u = I(l), d = (e) => {
		var t = Eu(), i = R(t);
		B((e, t, n, r) => J(i, `${e ?? ""} ${t ?? ""} · ${n ?? ""} ${r ?? ""}`), [
			() => U(r)("web.map.query"),
			() => o(n().queryWords, U(a).query),
			() => U(r)("web.map.key"),
			() => o(n().keyWords, U(a).key)
		]), q(e, t);
	};
	Y(u, (e) => {
		U(a) !== null && e(d);
	});
	var f = R(z(u, 2), !0);
	k(l), B((e) => J(f, e), [() => U(a) === null ? "" : n().digit(U(a).query, U(a).key) ?? ""]), q(e, s), j();
}
// src/model/ReaderGrid.svelte
var ku = /* @__PURE__ */ K("<span role=\"columnheader\"> </span>"), Au = /* @__PURE__ */ K("<span role=\"gridcell\"> </span>"), ju = /* @__PURE__ */ K("<div role=\"row\"><span role=\"rowheader\"> </span> <!></div>"), Mu = /* @__PURE__ */ K("<div id=\"reader\"><p class=\"note\"> </p> <div class=\"wide\"><div role=\"grid\"><div role=\"row\"><span role=\"columnheader\"> </span> <!></div> <!></div></div></div>");
function Nu(e, t) {
	A(t, !0);
	let n = Ti(t, "model", 7), r = /* @__PURE__ */ M(() => n().app.say), i = /* @__PURE__ */ M(() => n().cell), a = /* @__PURE__ */ M(() => n().extent), o = /* @__PURE__ */ M(() => l(U(i)?.query ?? 0, U(a).queries)), s = /* @__PURE__ */ M(() => l(U(i)?.key ?? 0, U(a).keys)), c = /* @__PURE__ */ P(void 0);
	function l(e, t) {
		let n = Math.max(0, Math.min(e - 4, t - 8 - 1));
		return Array.from({ length: Math.min(9, t) }, (e, t) => n + t);
	}
	let u = (e, t) => `${t}${e?.[t] === void 0 ? "" : ` ${ol(e[t] ?? "")}`}`;
	function d(e, t) {
		let i = n().digit(e, t);
		return i === void 0 ? n().app.api.offers.has("digits") ? "…" : "" : i === "" ? U(r)("web.map.masked.cell") : i;
	}
	_n(() => {
		let [e, t] = [U(o)[0], U(s)[0]];
		e !== void 0 && t !== void 0 && n().head !== null && n().wantDigits([e, e + U(o).length], [t, t + U(s).length]);
	}), _n(() => {
		n().focus = () => U(c)?.querySelector("[tabindex=\"0\"]")?.focus({ preventScroll: !0 });
	}), _n(() => {
		U(i) !== null && U(c) !== void 0 && U(c).contains(ko(U(c))) && sr().then(() => U(c)?.querySelector("[tabindex=\"0\"]")?.focus({ preventScroll: !0 }));
	});
	var f = Mu();
	let p;
	var m = I(f), h = R(m, !0), g = z(m, 2), _ = I(g), v = I(_);
	Q(v, "aria-rowindex", 1);
	var y = I(v);
	Q(y, "aria-colindex", 1);
	var b = R(y, !0);
	X(z(y, 2), 16, () => U(s), (e) => e, (e, t) => {
		var r = ku(), i = R(r, !0);
		B((e) => {
			Q(r, "aria-colindex", t + 2), J(i, e);
		}, [() => u(n().keyWords, t)]), q(e, r);
	}), k(v), X(z(v, 2), 16, () => U(o), (e) => e, (e, t) => {
		var r = ju(), a = I(r);
		Q(a, "aria-colindex", 1);
		var o = R(a, !0);
		X(z(a, 2), 16, () => U(s), (e) => e, (e, r) => {
			let a = /* @__PURE__ */ M(() => U(i)?.query === t && U(i).key === r);
			var o = Au(), s = R(o, !0);
			B((e) => {
				Q(o, "aria-colindex", r + 2), Q(o, "aria-selected", U(a)), Q(o, "tabindex", U(a) ? 0 : -1), Q(o, "data-at", `${t ?? ""},${r ?? ""}`), J(s, e);
			}, [() => d(t, r)]), W("click", o, () => n().put({
				query: t,
				key: r
			})), q(e, o);
		}), k(r), B((e) => {
			Q(r, "aria-rowindex", t + 2), J(o, e);
		}, [() => u(n().queryWords, t)]), q(e, r);
	}), k(_), xi(_, (e) => F(c, e), () => U(c)), k(g), k(f), B((e, t, r) => {
		p = ei(f, 1, "reader", null, p, { hidden: !n().isTabled }), J(h, e), Q(_, "aria-label", t), Q(_, "aria-rowcount", U(a).queries + 1), Q(_, "aria-colcount", U(a).keys + 1), J(b, r);
	}, [
		() => U(r)("web.map.table.about"),
		() => U(r)("web.map.table.label", { head: n().head ?? "" }),
		() => U(r)("web.map.table.corner")
	]), q(e, f), j();
}
G(["click"]);
var Pu = class {
	ask;
	wait;
	kept = /* @__PURE__ */ new Map();
	timer;
	wish = null;
	constructor(e, t = 60) {
		this.ask = e, this.wait = t;
	}
	get(e) {
		return this.kept.get(e);
	}
	want(e, t, n) {
		if (this.wish?.address === e) {
			Object.assign(this.wish, {
				then: t,
				fail: n
			});
			return;
		}
		this.drop();
		let r = this.kept.get(e);
		if (r !== void 0) {
			t(r);
			return;
		}
		let i = {
			address: e,
			then: t,
			fail: n,
			giveUp: new AbortController()
		};
		this.wish = i, this.timer = setTimeout(() => void this.fetch(i), this.wait);
	}
	drop() {
		clearTimeout(this.timer), this.wish?.giveUp.abort(), this.wish = null;
	}
	clear() {
		this.drop(), this.kept.clear();
	}
	async fetch(e) {
		try {
			let t = await this.ask(e.address, e.giveUp.signal);
			if (this.wish !== e) return;
			this.wish = null, this.keep(e.address, t), e.then(t);
		} catch (t) {
			if (this.wish !== e || gs(t)) return;
			this.wish = null, e.fail(t);
		}
	}
	keep(e, t) {
		if (this.kept.size >= 500) {
			let e = this.kept.keys().next().value;
			e !== void 0 && this.kept.delete(e);
		}
		this.kept.set(e, t);
	}
}, Fu = 20, Iu = class {
	model;
	#e = /* @__PURE__ */ P(null);
	get found() {
		return U(this.#e);
	}
	set found(e) {
		F(this.#e, e);
	}
	#t = /* @__PURE__ */ P(-1);
	get at() {
		return U(this.#t);
	}
	set at(e) {
		F(this.#t, e, !0);
	}
	#n = /* @__PURE__ */ P(!1);
	get isBusy() {
		return U(this.#n);
	}
	set isBusy(e) {
		F(this.#n, e, !0);
	}
	asking = null;
	constructor(e) {
		this.model = e;
	}
	forget() {
		this.asking?.abort(), this.found = null, this.at = -1;
	}
	async ask() {
		let { model: e } = this, { head: t, held: n, app: r } = e;
		if (t === null || n === null || !r.api.offers.has("worst")) return;
		this.forget();
		let i = this.asking = new AbortController();
		this.isBusy = !0;
		try {
			let a = await r.api.worst(e.id, t, n, Fu, r.lang, i.signal);
			i.signal.aborted || (this.found = a);
		} catch (t) {
			gs(t) || e.fail(t);
		} finally {
			this.asking === i && (this.isBusy = !1);
		}
	}
	move(e) {
		let t = this.found?.worst.length ?? 0;
		return t !== 0 && (this.go(this.at === -1 && e === -1 ? t - 1 : (this.at + e + t) % t), !0);
	}
	go(e) {
		let t = this.found?.worst[e];
		t !== void 0 && (this.at = e, this.model.put({
			query: t.query,
			key: t.key
		}), this.model.map?.dive({
			query: t.query,
			key: t.key
		}));
	}
}, Lu = 8, Ru = 25, zu = 2e3, Bu = class {
	extent;
	ask;
	came;
	fail;
	kept = /* @__PURE__ */ new Map();
	asked = null;
	wanted = /* @__PURE__ */ new Map();
	constructor(e, t, n, r) {
		this.extent = e, this.ask = t, this.came = n, this.fail = r;
	}
	get(e, t) {
		return this.kept.get(Uu(Math.floor(e / Lu), Math.floor(t / Lu)))?.[e % Lu]?.[t % Lu];
	}
	want(e, t, n) {
		this.wanted.set(e, {
			queries: t,
			keys: n
		}), this.next();
	}
	stop() {
		this.wanted.clear(), this.asked?.giveUp.abort();
	}
	next() {
		if (this.asked === null) for (let { queries: e, keys: t } of this.wanted.values()) {
			let n = this.missing(e, t);
			if (n !== null) {
				this.asked = { giveUp: new AbortController() }, this.fetch(n, this.asked.giveUp.signal);
				return;
			}
		}
	}
	missing([e, t], [n, r]) {
		let i = [...Hu(e, t)], a = [...Hu(n, r)], o = (e, t) => !this.kept.has(Uu(e, t)), s = i.find((e) => a.some((t) => o(e, t)));
		if (s === void 0) return null;
		let c = a.find((e) => o(s, e)) ?? 0, l = 1;
		for (; l < Ru && a.includes(c + l) && o(s, c + l);) l++;
		let u = 1, d = (e) => i.includes(e) && a.filter((e) => e >= c && e < c + l).every((t) => o(e, t));
		for (; (u + 1) * l <= Ru && d(s + u);) u++;
		return [
			s,
			c,
			u,
			l
		];
	}
	async fetch([e, t, n, r], i) {
		let a = [e * Lu, Math.min((e + n) * Lu, this.extent.queries)], o = [t * Lu, Math.min((t + r) * Lu, this.extent.keys)];
		try {
			let s = await this.ask(a, o, i);
			for (let i = 0; i < n; i++) for (let n = 0; n < r; n++) this.keep(e + i, t + n, Vu(s, i, n));
			this.asked = null, this.came(), this.next();
		} catch (e) {
			if (this.asked = null, gs(e)) return;
			this.wanted.clear(), this.fail(e);
		}
	}
	keep(e, t, n) {
		if (this.kept.size >= zu) {
			let e = this.kept.keys().next().value;
			e !== void 0 && this.kept.delete(e);
		}
		this.kept.set(Uu(e, t), n);
	}
};
function Vu(e, t, n) {
	return e.slice(t * Lu, (t + 1) * Lu).map((e) => e.slice(n * Lu, (n + 1) * Lu));
}
function* Hu(e, t) {
	for (let n = Math.floor(e / Lu); n * Lu < t; n++) yield n;
}
function Uu(...e) {
	return `${e[0]}:${e[1]}`;
}
// src/model/largest.ts
var Wu = 64;
async function Gu(e, t, n, r, i) {
	let { level: a } = e, o = 16 ** a * e.factor, s = Ku(Math.floor(t.query / o), Math.floor(t.key / o), e.factor, a, n);
	for (;;) {
		if (s = await qu(s, a, r), s.length === 0) return t;
		if (a === 0) return Ju(s, i);
		a--;
		let e = a;
		s = s.flatMap(({ row: t, column: r }) => Ku(t, r, 16, e, n));
	}
}
function Ku(e, t, n, r, i) {
	let [a, o] = [Math.ceil(i.queries / 16 ** r), Math.ceil(i.keys / 16 ** r)], s = [];
	for (let r = e * n; r < Math.min((e + 1) * n, a); r++) for (let e = t * n; e < Math.min((t + 1) * n, o); e++) s.push({
		row: r,
		column: e
	});
	return s;
}
async function qu(e, t, n) {
	let r = 1, i = [], a = /* @__PURE__ */ new Map();
	for (let o of e) {
		let [e, s] = [Math.floor(o.row / 256), Math.floor(o.column / 256)], c = a.get(`${e}:${s}`) ?? await n(t, e, s);
		a.set(`${e}:${s}`, c);
		let l = c.codes[o.row % 256 * c.width + o.column % 256] ?? 0;
		l > r ? (r = l, i = [o]) : l === r && i.length < Wu && i.push(o);
	}
	return i;
}
async function Ju(e, t) {
	let n = e.map(({ row: e, column: t }) => ({
		query: e,
		key: t
	})), [r] = n;
	if (r === void 0) throw Error("no block");
	if (n.length === 1 || t === null) return r;
	let i = (await t(n)).map((e) => Number.parseFloat(e) || 0);
	return n[i.indexOf(Math.max(...i))] ?? r;
}
// src/model/tiles.ts
var Yu = 48 * 2 ** 20, Xu = 4, Zu = class {
	extent;
	ask;
	came;
	fail;
	isOneTable;
	kept = /* @__PURE__ */ new Map();
	pooled = /* @__PURE__ */ new Map();
	asked = /* @__PURE__ */ new Map();
	wanted = [];
	size = 0;
	isOver = !1;
	constructor(e, t, n, r, i) {
		this.extent = e, this.ask = t, this.came = n, this.fail = r, this.isOneTable = i;
	}
	want(e) {
		let t = new Set(e.map(td));
		for (let [e, n] of this.asked) t.has(e) || n.abort();
		this.wanted = e.filter((e) => !this.kept.has(td(e)) && !this.asked.has(td(e)));
		for (let t of e) this.touch(td(t));
		this.shed(t), this.next();
	}
	get isWaiting() {
		return this.asked.size > 0 || this.wanted.length > 0;
	}
	stop() {
		this.isOver = !0, this.wanted = [];
		for (let e of this.asked.values()) e.abort();
	}
	get(e, t, n) {
		let r = this.own(e, t, n);
		if (r !== null || !this.isOneTable) return r;
		let i = 256 / e.factor;
		for (let r = 1; 16 ** (e.level + r - 1) <= Math.max(this.extent.queries, this.extent.keys); r++) {
			let a = 16 ** r / e.factor, [o, s] = [Math.floor(t * i / (a * 256)), Math.floor(n * i / (a * 256))], c = e.level + r, l = this.kept.get(td({
				level: c,
				row: o,
				column: s
			}));
			if (l !== void 0) return {
				codes: l,
				width: this.widthOf(c, s),
				top: o * 256 * a,
				left: s * 256 * a,
				step: a
			};
		}
		return null;
	}
	own({ level: e, factor: t }, n, r) {
		let i = td({
			level: e,
			row: n,
			column: r
		}), a = this.kept.get(i);
		if (a === void 0) return null;
		let o = 256 / t, s = this.pooled.get(`${i}/${t}`);
		return s === void 0 && (s = Kc(a, this.widthOf(e, r), t), t > 1 && this.pooled.set(`${i}/${t}`, s)), {
			...s,
			top: n * o,
			left: r * o,
			step: 1
		};
	}
	codes(e, t, n) {
		let r = this.kept.get(td({
			level: e,
			row: t,
			column: n
		}));
		return r === void 0 ? null : {
			codes: r,
			width: this.widthOf(e, n)
		};
	}
	async bring(e, t, n) {
		let r = this.codes(e, t, n);
		if (r !== null) return r;
		let i = await this.ask(e, t, n, new AbortController().signal);
		return this.keep(td({
			level: e,
			row: t,
			column: n
		}), i), {
			codes: i,
			width: this.widthOf(e, n)
		};
	}
	widthOf(e, t) {
		return qc(Ic(this.extent.keys, {
			level: e,
			factor: 1
		}), t);
	}
	next() {
		for (; !this.isOver && this.asked.size < Xu;) {
			let e = this.wanted.shift();
			if (e === void 0) return;
			this.fetch(e);
		}
	}
	async fetch(e) {
		let t = td(e), n = new AbortController();
		this.asked.set(t, n);
		try {
			this.keep(t, await this.ask(e.level, e.row, e.column, n.signal));
		} catch (e) {
			!gs(e) && !this.isOver && this.fail(e);
		} finally {
			this.asked.delete(t), this.isOver || (this.next(), this.came());
		}
	}
	keep(e, t) {
		this.kept.has(e) || (this.kept.set(e, t), this.size += t.length);
	}
	touch(e) {
		let t = this.kept.get(e);
		t !== void 0 && (this.kept.delete(e), this.kept.set(e, t));
	}
	shed(e) {
		for (let [t, n] of this.kept) {
			if (this.size <= Yu) return;
			if (!e.has(t)) {
				this.kept.delete(t);
				for (let e of [...this.pooled.keys()]) e.startsWith(`${t}/`) && this.pooled.delete(e);
				this.size -= n.length;
			}
		}
	}
}, Qu = 60, $u = 50;
async function ed(e) {
	for (let t = 0; t < Qu && (e() === null || e()?.isWaiting === !0); t++) await new Promise((e) => setTimeout(e, $u));
}
function td({ level: e, row: t, column: n }) {
	return `${e}:${t}:${n}`;
}
// src/model/press.ts
var nd = 8;
function rd(e, { recording: t, head: n, pooled: r, tiles: i }, a, o) {
	let s = r === "max" ? i : id(e, t, n, i), c = async ({ query: r, key: i }) => (await e.digits(t, {
		head: n,
		queries: [r, r + 1],
		keys: [i, i + 1],
		against: null
	}))[0]?.[0] ?? "", l = e.offers.has("digits") ? (e) => Promise.all(e.slice(0, nd).map(c)) : null;
	return Gu(o, a, i.extent, (e, t, n) => s.bring(e, t, n), l);
}
function id(e, t, n, r) {
	return new Zu(r.extent, (r, i, a, o) => e.tile(t, {
		head: n,
		level: r,
		row: i,
		column: a,
		pooled: "max",
		against: null
	}, o), () => void 0, () => void 0, !0);
}
// src/model/running.svelte.ts
var ad = class {
	model;
	#e = /* @__PURE__ */ P("");
	get text() {
		return U(this.#e);
	}
	set text(e) {
		F(this.#e, e, !0);
	}
	#t = /* @__PURE__ */ P(null);
	get progress() {
		return U(this.#t);
	}
	set progress(e) {
		F(this.#t, e);
	}
	#n = /* @__PURE__ */ P(!1);
	get isOn() {
		return U(this.#n);
	}
	set isOn(e) {
		F(this.#n, e, !0);
	}
	#r = /* @__PURE__ */ P(null);
	get failure() {
		return U(this.#r);
	}
	set failure(e) {
		F(this.#r, e);
	}
	giveUp = null;
	constructor(e) {
		this.model = e;
	}
	async begin() {
		if (this.text.trim() === "" || this.isOn) return;
		let { app: e } = this.model, t = this.giveUp = new AbortController();
		this.isOn = !0, this.progress = this.failure = null;
		try {
			let n = await e.api.run(this.text, e.lang, (e) => this.tell(e), t.signal);
			await this.model.open(n), e.tell(e.say("web.run.done"));
		} catch (t) {
			gs(t) ? e.tell(e.say("web.run.stopped")) : this.failure = e.told(t);
		} finally {
			this.isOn = !1, this.progress = null;
		}
	}
	stop() {
		this.giveUp?.abort();
	}
	tell(e) {
		e.stage !== this.progress?.stage && this.model.app.aloud(e.label), this.progress = e;
	}
}, od = 64, sd = 300, cd = class {
	app;
	heads;
	running;
	compare;
	#e = /* @__PURE__ */ P(null);
	get opened() {
		return U(this.#e);
	}
	set opened(e) {
		F(this.#e, e);
	}
	#t = /* @__PURE__ */ P(null);
	get recording() {
		return U(this.#t);
	}
	set recording(e) {
		F(this.#t, e);
	}
	#n = /* @__PURE__ */ P(null);
	get page() {
		return U(this.#n);
	}
	set page(e) {
		F(this.#n, e);
	}
	#r = /* @__PURE__ */ P(null);
	get head() {
		return U(this.#r);
	}
	set head(e) {
		F(this.#r, e);
	}
	#i = /* @__PURE__ */ P(null);
	get cell() {
		return U(this.#i);
	}
	set cell(e) {
		F(this.#i, e);
	}
	#a = /* @__PURE__ */ P(null);
	get pointed() {
		return U(this.#a);
	}
	set pointed(e) {
		F(this.#a, e);
	}
	#o = /* @__PURE__ */ P(null);
	get address() {
		return U(this.#o);
	}
	set address(e) {
		F(this.#o, e);
	}
	#s = /* @__PURE__ */ P(null);
	get panel() {
		return U(this.#s);
	}
	set panel(e) {
		F(this.#s, e);
	}
	#c = /* @__PURE__ */ P(null);
	get row() {
		return U(this.#c);
	}
	set row(e) {
		F(this.#c, e);
	}
	#l = /* @__PURE__ */ P(null);
	get stages() {
		return U(this.#l);
	}
	set stages(e) {
		F(this.#l, e);
	}
	#u = /* @__PURE__ */ P(null);
	get table() {
		return U(this.#u);
	}
	set table(e) {
		F(this.#u, e);
	}
	#d = /* @__PURE__ */ P({
		level: 0,
		factor: 1
	});
	get grain() {
		return U(this.#d);
	}
	set grain(e) {
		F(this.#d, e);
	}
	#f = /* @__PURE__ */ P("max");
	get pooled() {
		return U(this.#f);
	}
	set pooled(e) {
		F(this.#f, e);
	}
	#p = /* @__PURE__ */ P(null);
	get against() {
		return U(this.#p);
	}
	set against(e) {
		F(this.#p, e);
	}
	#m = /* @__PURE__ */ P(null);
	get sort() {
		return U(this.#m);
	}
	set sort(e) {
		F(this.#m, e);
	}
	#h = /* @__PURE__ */ P(!1);
	get isStaged() {
		return U(this.#h);
	}
	set isStaged(e) {
		F(this.#h, e, !0);
	}
	#g = /* @__PURE__ */ P(!1);
	get isTabled() {
		return U(this.#g);
	}
	set isTabled(e) {
		F(this.#g, e, !0);
	}
	#_ = /* @__PURE__ */ P(null);
	get asking() {
		return U(this.#_);
	}
	set asking(e) {
		F(this.#_, e, !0);
	}
	#v = /* @__PURE__ */ P(null);
	get failure() {
		return U(this.#v);
	}
	set failure(e) {
		F(this.#v, e);
	}
	#y = /* @__PURE__ */ P(!1);
	get isBusy() {
		return U(this.#y);
	}
	set isBusy(e) {
		F(this.#y, e, !0);
	}
	#b = /* @__PURE__ */ P(0);
	get digitsTurn() {
		return U(this.#b);
	}
	set digitsTurn(e) {
		F(this.#b, e, !0);
	}
	#x = /* @__PURE__ */ M(() => this.page?.layers.find((e) => e.heads.includes(this.head ?? "")) ?? null);
	get layer() {
		return U(this.#x);
	}
	set layer(e) {
		F(this.#x, e);
	}
	#S = /* @__PURE__ */ M(() => this.page === null ? [] : nu(this.page, this.sort));
	get order() {
		return U(this.#S);
	}
	set order(e) {
		F(this.#S, e);
	}
	map = null;
	isStarted = !1;
	focus = () => void 0;
	tiles = null;
	digits = null;
	cells;
	rows;
	tables = /* @__PURE__ */ new Map();
	place = ql;
	settling;
	turn = 0;
	constructor(e) {
		this.app = e;
		let { api: t } = e, n = (e) => this.fail(e);
		this.heads = new eu((e, n) => ed(() => this.tiles).then(() => t.thumbs(this.id, e, od, n)), n), this.running = new ad(this), this.compare = new Iu(this), this.cells = new Pu((n, r) => t.weight(this.id, n, e.lang, r)), this.rows = new Pu((n, r) => {
			let [i = "", a = ""] = n.split("#");
			return t.row(this.id, i, Number(a), 8, e.lang, r);
		});
	}
	get id() {
		return this.recording ?? "";
	}
	fail(e) {
		let t = this.app.told(e);
		t !== null && (this.failure = t);
	}
	async visit(e) {
		this.isStarted = !0;
		let t = Xl(e), n = ++this.turn;
		try {
			t.lang !== null && t.lang !== this.app.lang && !this.app.alone && await this.app.speak(t.lang), this.opened ??= await this.app.api.opened();
			let e = t.recording ?? this.opened.recording ?? null;
			e !== null && (e !== this.recording || this.page === null) && await this.load(e), n === this.turn && await this.apply(t);
		} catch (e) {
			this.fail(e);
		}
	}
	async open(e) {
		try {
			await this.load(e), this.record(Yl({
				...ql,
				recording: e
			}), !0), await this.apply({
				...ql,
				recording: e
			});
		} catch (e) {
			this.fail(e);
		}
	}
	async load(e) {
		this.isBusy = !0;
		try {
			let t = await this.app.api.recording(e, this.app.lang);
			this.forget(), this.recording = e, this.page = t, this.failure = null;
		} finally {
			this.isBusy = !1;
		}
	}
	forget() {
		this.tiles?.stop(), this.digits?.stop(), this.cells.clear(), this.rows.clear(), this.tables.clear(), this.heads.forget(), this.compare.forget(), Object.assign(this, {
			tiles: null,
			digits: null,
			head: null,
			cell: null,
			address: null,
			panel: null,
			row: null,
			stages: null,
			table: null
		});
	}
	async apply(e) {
		let { page: t } = this;
		if (t === null) return;
		let n = tu(t), r = (e) => e !== null && n.includes(e) ? e : null;
		this.sort = t.scores.some((t) => t.name === e.sort) ? e.sort : null, this.pooled = e.pooled, this.against = e.against === "dump" && this.opened?.dump ? Jl : r(e.against), this.isStaged = e.stages, this.isTabled = e.table, this.place = e;
		let i = r(e.head) ?? nu(t, this.sort)[0] ?? null;
		if (i === null) return;
		await this.show(i);
		let a = e.z !== null && e.middle !== null ? {
			z: e.z,
			middle: e.middle
		} : null;
		this.put(e.cell ?? {
			query: this.extent.queries - 1,
			key: 0
		}, e.address, !1), this.map?.lookAt(a), this.sync(!1);
	}
	get extent() {
		return {
			queries: this.layer?.queries ?? 1,
			keys: this.layer?.keys ?? 1
		};
	}
	words(e) {
		return e === null ? null : this.page?.words[e] ?? null;
	}
	#C = /* @__PURE__ */ M(() => this.words(this.layer?.query_words ?? null));
	get queryWords() {
		return U(this.#C);
	}
	set queryWords(e) {
		F(this.#C, e);
	}
	#w = /* @__PURE__ */ M(() => this.words(this.layer?.key_words ?? null));
	get keyWords() {
		return U(this.#w);
	}
	set keyWords(e) {
		F(this.#w, e);
	}
	sync(e) {
		clearTimeout(this.settling), this.app.route === "model" && this.page !== null && this.record(this.written(), e);
	}
	written() {
		let e = this.map === null ? this.place : this.map.place(), t = this.cell === null || this.head === null ? null : this.addressOf(this.cell);
		return Yl({
			lang: this.app.alone ? null : this.app.lang,
			recording: this.recording === this.opened?.recording ? null : this.recording,
			head: this.head,
			cell: this.cell,
			address: this.address === t ? null : this.address,
			middle: e?.middle ?? null,
			z: e?.z ?? null,
			sort: this.sort,
			pooled: this.pooled,
			against: this.against,
			stages: this.isStaged,
			table: this.isTabled
		});
	}
	record(e, t) {
		if (e !== location.hash && this.app.isAddressed) try {
			t ? history.pushState(null, "", e) : history.replaceState(null, "", e);
		} catch {}
	}
	soon() {
		clearTimeout(this.settling), this.settling = setTimeout(() => this.sync(!1), sd);
	}
	get held() {
		return this.against === null ? null : this.against === "dump" ? { dump: !0 } : { head: this.against };
	}
	async show(e) {
		let t = this.extent, n = this.head === null;
		this.head = e, this.stages = null, this.tiles?.stop(), this.digits?.stop();
		let { extent: r } = this;
		n || r.queries === t.queries && r.keys === t.keys || (this.cell = null);
		let i = this.held, a = i === null ? this.pooled : "max", o = (e) => this.fail(e);
		this.tiles = new Zu(r, (t, n, r, o) => this.app.api.tile(this.id, {
			head: e,
			level: t,
			row: n,
			column: r,
			pooled: a,
			against: i
		}, o), () => this.map?.redraw(), o, i === null && a === "max");
		let s = () => {
			this.digitsTurn++, this.map?.redraw();
		}, c = (t, n, r) => this.app.api.digits(this.id, {
			head: e,
			queries: t,
			keys: n,
			against: i
		}, r);
		this.digits = this.app.api.offers.has("digits") ? new Bu(r, c, s, o) : null, await this.learnTable(), this.head === e && this.stage(), this.against !== null && this.compare.ask();
	}
	stage() {
		let { map: e, tiles: t, table: n } = this;
		if (e === null || t === null || n === null) return;
		e.setTable(n), e.show({
			extent: t.extent,
			queryWords: this.queryWords,
			keyWords: this.keyWords,
			tiles: t,
			digits: this.digits,
			isTogether: this.against === null && this.pooled === "max"
		}), e.setCell(this.cell);
		let { middle: r, z: i } = this.place;
		r !== null && i !== null && e.lookAt({
			middle: r,
			z: i
		}), this.place = ql;
	}
	looked(e) {
		let t = e.level !== this.grain.level;
		(t || e.factor !== this.grain.factor) && (this.grain = e), t && this.learnTable(), this.soon();
	}
	async learnTable() {
		let { head: e, pooled: t, against: n, grain: r } = this;
		if (e === null) return;
		let i = [
			e,
			r.level,
			t,
			n
		].join("#");
		try {
			let a = r.level === 0 && t === "max" && n === null ? this.page?.table : this.tables.get(i);
			if (a === void 0 && (a = await this.app.api.table(this.id, e, r.level, t, this.held, this.app.lang), this.tables.set(i, a)), e !== this.head || t !== this.pooled || n !== this.against || r.level !== this.grain.level) return;
			this.table = a, this.map?.setTable(a);
		} catch (e) {
			this.fail(e);
		}
	}
	async setHead(e) {
		e !== this.head && (this.against === e && (this.against = null), await this.show(e), this.put(this.cell ?? {
			query: this.extent.queries - 1,
			key: 0
		}, null, !1), this.app.aloud(this.app.say("web.map.head", {
			head: e,
			shown: this.scoreOf(e)
		})), this.sync(!0));
	}
	scoreOf(e) {
		let { page: t } = this, n = t?.scores.find((e) => e.name === this.sort) ?? t?.scores[0], r = n === void 0 ? void 0 : t?.heads[e]?.shown[n.name];
		return n === void 0 || r === void 0 ? "" : `${n.label} ${r}`;
	}
	step(e, t) {
		let { page: n, layer: r, head: i } = this;
		if (n === null || r === null || i === null) return;
		let a = r.heads.indexOf(i);
		if (e === "head") {
			let e = tu(n), r = e[e.indexOf(i) + t];
			r !== void 0 && this.setHead(r);
			return;
		}
		let o = n.layers[n.layers.indexOf(r) + t], s = o?.heads[Math.min(a, o.heads.length - 1)];
		s !== void 0 && this.setHead(s);
	}
	setSort(e) {
		this.sort = e, this.sync(!0);
	}
	async setPooled(e) {
		this.pooled = e, this.head !== null && await this.show(this.head), this.sync(!0);
	}
	async setAgainst(e) {
		this.against = e, this.compare.forget(), this.head !== null && await this.show(this.head), this.sync(!0);
	}
	addressOf(e) {
		return `${this.head}.weight[${e.query},${e.key}]`;
	}
	digit(e, t) {
		return this.digitsTurn < 0 ? void 0 : this.digits?.get(e, t);
	}
	wantDigits(e, t) {
		this.digits?.want("table", e, t);
	}
	put(e, t = null, n = !0) {
		let { queries: r, keys: i } = this.extent, a = {
			query: Math.min(Math.max(e.query, 0), r - 1),
			key: Math.min(Math.max(e.key, 0), i - 1)
		};
		this.cell = a, this.map?.setCell(a), this.look(t ?? this.addressOf(a), n), this.askRow(), this.isStaged && this.stages?.length !== 0 && this.askStages(), this.soon();
	}
	look(e, t = !0) {
		this.address = e, this.app.api.offers.has("weight") ? this.cells.want(e, (e) => {
			this.panel = e, this.failure = null, t && this.app.aloud([
				this.whereOf(e),
				e.spoken,
				e.rank ?? ""
			].filter(Boolean).join(" "));
		}, (e) => this.fail(e)) : t && this.cell !== null && this.app.aloud([this.whereOf(this.cell), this.digit(this.cell.query, this.cell.key) ?? ""].join(" "));
	}
	whereOf({ query: e, key: t }) {
		if (typeof e != "number" || typeof t != "number") return "";
		let [n, r] = [ol(this.queryWords?.[e] ?? ""), ol(this.keyWords?.[t] ?? "")];
		return this.app.say("web.map.where", {
			query: e,
			asks: n,
			key: t,
			answers: r
		});
	}
	async follow(e) {
		let t = /^(.*)\.weight\[(\d+),(\d+)\]$/.exec(e), n = t?.[1] ?? "";
		t !== null && this.page !== null && tu(this.page).includes(n) ? (n !== this.head && await this.show(n), this.put({
			query: Number(t[2]),
			key: Number(t[3])
		})) : this.look(e), this.sync(!0);
	}
	askRow() {
		let { cell: e, head: t } = this;
		e !== null && t !== null && this.app.api.offers.has("row") && this.rows.want(`${t}#${e.query}`, (e) => this.row = e, (e) => this.fail(e));
	}
	move(e, t) {
		this.cell !== null && this.put({
			query: this.cell.query + e,
			key: this.cell.key + t
		});
	}
	async peak(e) {
		let { cell: t, head: n } = this;
		if (t !== null && n !== null && this.app.api.offers.has("peak")) try {
			let r = await this.app.api.peak(this.id, n, t, e);
			if (this.cell !== t || this.head !== n) return;
			r === null ? this.app.tell(this.app.say("web.map.no-peak")) : this.put(r);
		} catch (e) {
			this.fail(e);
		}
	}
	async press(e, t) {
		let { head: n, tiles: r } = this;
		if (Ac(t) === 1 || r === null || n === null || this.against !== null) this.put(e);
		else try {
			let i = await rd(this.app.api, {
				recording: this.id,
				head: n,
				pooled: this.pooled,
				tiles: r
			}, e, t);
			if (this.head !== n) return;
			this.put(i), this.map?.dive(i), this.sync(!0);
		} catch (e) {
			gs(e) || this.fail(e);
		}
	}
	async setStaged(e) {
		this.isStaged = e, this.sync(!0), e && await this.askStages();
	}
	async askStages() {
		let { cell: e, head: t } = this;
		if (e !== null && t !== null && this.app.api.offers.has("pipeline")) try {
			let n = await this.app.api.pipeline(this.id, t, e.query, this.app.lang);
			this.head === t && this.cell?.query === e.query && (this.stages = n);
		} catch (e) {
			this.fail(e);
		}
	}
	setTabled(e) {
		this.isTabled = e, this.sync(!0);
	}
	async figure() {
		let e = this.map?.sight() ?? null;
		if (e === null || this.head === null) return;
		let { queries: t, keys: n, grain: r } = e;
		try {
			let e = Fc(Math.max(t[1] - t[0], n[1] - n[0]), r.level), i = {
				head: this.head,
				queries: t,
				keys: n,
				pooled: this.pooled,
				level: e,
				against: this.held
			}, a = await this.app.api.figure(this.id, i, this.app.lang);
			this.app.save(a), this.app.tell(this.app.say("web.exported", { name: a.name }));
		} catch (e) {
			this.fail(e);
		}
	}
	async again() {
		if (this.recording === null) return;
		let e = this.written();
		this.page = null, await this.visit(e);
	}
}, ld = /* @__PURE__ */ K("<span class=\"needle\"></span>"), ud = /* @__PURE__ */ K("<span></span>"), dd = /* @__PURE__ */ K("<li><button class=\"link\"><span class=\"key\"> </span> <bdi> </bdi> <strong> </strong></button></li>"), fd = /* @__PURE__ */ K("<ol class=\"top\"><!> <li class=\"whole\"><span class=\"rest\"> <strong> </strong></span> <span class=\"sum\"> <strong> </strong></span></li></ol>"), pd = /* @__PURE__ */ K("<section><h2> </h2> <div><canvas aria-hidden=\"true\"></canvas> <!></div> <div class=\"places\"><div class=\"top\" aria-hidden=\"true\"><!><span class=\"whole\"></span></div> <!></div> <details class=\"row-more\"><summary> </summary><!></details></section>");
function md(e, t) {
	A(t, !0);
	let n = /* @__PURE__ */ M(() => t.model.app.say), r = /* @__PURE__ */ M(() => t.model.row), i = /* @__PURE__ */ M(() => U(r) === null ? /* @__PURE__ */ new Uint8Array() : Jc(U(r).strip)), a = /* @__PURE__ */ M(() => U(r)?.query !== t.model.cell?.query), o = /* @__PURE__ */ M(() => U(r)?.query ?? t.model.cell?.query ?? null), s = /* @__PURE__ */ M(() => U(r)?.word ?? (U(o) === null ? void 0 : t.model.queryWords?.[U(o)]) ?? ""), c = /* @__PURE__ */ P(void 0), l = (e) => {
		F(c, e, !0);
		let n = Hc(t.model.page?.table.colours ?? []), r = U(i), a = new ResizeObserver(() => {
			let t = Math.max(1, Math.round(e.clientWidth * devicePixelRatio)), i = e.getContext("2d");
			if (i === null || r.length === 0) return;
			e.width = t, e.height = 1;
			let a = i.createImageData(t, 1), o = new Uint32Array(a.data.buffer);
			for (let e = 0; e < t; e++) {
				let i = Math.floor(e * r.length / t), a = Math.max(i + 1, Math.floor((e + 1) * r.length / t)), s = 0;
				for (let e = i; e < a; e++) s = Math.max(s, r[e] ?? 0);
				o[e] = n[s] ?? 0;
			}
			i.putImageData(a, 0, 0);
		});
		return a.observe(e), () => a.disconnect();
	}, u = (e) => {
		e.style.left = `${((t.model.cell?.key ?? 0) + .5) / t.model.extent.keys * 100}%`;
	};
	function d(e) {
		if (U(c) === void 0 || U(r) === null) return;
		let n = U(c).getBoundingClientRect(), a = Math.floor((e.clientX - n.left) / n.width * U(i).length);
		t.model.put({
			query: U(r).query,
			key: a
		}), t.model.sync(!0);
	}
	var f = pd();
	let p;
	var m = I(f), h = R(m, !0), g = z(m, 2);
	let _;
	var v = I(g);
	Zr(v, () => l);
	var y = z(v, 2), b = (e) => {
		var t = ld();
		Zr(t, () => u), q(e, t);
	};
	Y(y, (e) => {
		U(r) !== null && e(b);
	}), k(g);
	var x = z(g, 2), S = I(x);
	X(I(S), 17, () => ({ length: Math.min(8, t.model.extent.keys) }), Vr, (e, t) => {
		q(e, ud());
	}), Ee(), k(S);
	var C = z(S, 2), w = (e) => {
		var i = fd(), a = I(i);
		X(a, 17, () => U(r).top, (e) => e.key, (e, n) => {
			var r = dd(), i = I(r), a = I(i), o = R(a, !0), s = z(a, 2), c = R(s, !0), l = R(z(s, 2), !0);
			k(i), k(r), B((e, r) => {
				Q(i, "aria-current", U(n).key === t.model.cell?.key), Q(i, "title", e), J(o, U(n).key), J(c, r), J(l, U(n).weight);
			}, [() => ol(U(n).word), () => ol(U(n).word)]), W("click", i, () => t.model.follow(U(n).address)), q(e, r);
		});
		var o = z(a, 2), s = I(o), c = I(s), l = R(z(c), !0);
		k(s);
		var u = z(s, 2), d = I(u), f = R(z(d), !0);
		k(u), k(o), k(i), B((e, t) => {
			J(c, `${e ?? ""} `), J(l, U(r).rest), J(d, `${t ?? ""} `), J(f, U(r).sum);
		}, [() => U(n)(U(r).others === 0 ? "web.row.rounding" : "web.row.rest"), () => U(n)("web.row.sum")]), q(e, i);
	};
	Y(C, (e) => {
		U(r) !== null && e(w);
	}), k(x);
	var T = z(x, 2), E = I(T), ee = R(E, !0), te = z(E), ne = (e) => {
		var t = Or();
		Z(L(t), () => U(r).html), q(e, t);
	};
	Y(te, (e) => {
		U(r) !== null && e(ne);
	}), k(T), k(f), B((e, t, n) => {
		p = ei(f, 1, "row-strip", null, p, {
			stale: U(a),
			pending: U(r) === null
		}), Q(f, "aria-label", e), J(h, t), _ = ei(g, 1, "strip-of-row", null, _, { hatched: U(r) !== null }), J(ee, n);
	}, [
		() => U(n)("web.row"),
		() => U(o) === null ? "\xA0" : U(n)("web.row.of", {
			query: U(o),
			word: ol(U(s))
		}),
		() => U(n)("web.row.more")
	]), W("click", g, d), q(e, f), j();
}
G(["click"]);
// src/model/RunText.svelte
var hd = /* @__PURE__ */ K("<button type=\"button\"> </button>"), gd = /* @__PURE__ */ K("<button class=\"primary\"> </button>"), _d = /* @__PURE__ */ K("<progress></progress> <span class=\"note\"> </span>", 1), vd = /* @__PURE__ */ K("<p class=\"note\" role=\"status\"> </p>"), yd = /* @__PURE__ */ K("<p class=\"problem\" role=\"alert\"> </p>"), bd = /* @__PURE__ */ K("<form class=\"paper run\"><label class=\"field\"><span> </span> <textarea rows=\"3\"></textarea></label> <div class=\"row\"><!> <!></div> <!> <!></form>");
function xd(e, t) {
	A(t, !0);
	let n = /* @__PURE__ */ M(() => t.model.app.say), r = /* @__PURE__ */ M(() => t.model.running), i = /* @__PURE__ */ M(() => U(r).progress);
	function a(e) {
		e.preventDefault(), U(r).begin();
	}
	var o = bd(), s = I(o), c = I(s), l = R(c, !0), u = z(c, 2);
	tt(u), k(s);
	var d = z(s, 2), f = I(d), p = (e) => {
		var t = hd(), i = R(t, !0);
		B((e) => J(i, e), [() => U(n)("web.run.stop")]), W("click", t, () => U(r).stop()), q(e, t);
	}, m = (e) => {
		var t = gd(), i = R(t, !0);
		B((e, n) => {
			t.disabled = e, J(i, n);
		}, [() => U(r).text.trim() === "", () => U(n)("web.run.go")]), q(e, t);
	};
	Y(f, (e) => {
		U(r).isOn ? e(p) : e(m, -1);
	});
	var h = z(f, 2), g = (e) => {
		var t = _d(), n = L(t), r = R(z(n, 2));
		B(() => {
			Q(n, "max", U(i).of || 1), fi(n, U(i).done), Q(n, "aria-label", U(i).label), J(r, `${U(i).label ?? ""}${U(i).left ? ` · ${U(i).left}` : ""}`);
		}), q(e, t);
	};
	Y(h, (e) => {
		U(i) !== null && e(g);
	}), k(d);
	var _ = z(d, 2), v = (e) => {
		var t = vd(), n = R(t, !0);
		B(() => J(n, U(i).note)), q(e, t);
	};
	Y(_, (e) => {
		U(i)?.note && e(v);
	});
	var y = z(_, 2), b = (e) => {
		var t = yd(), n = R(t, !0);
		B(() => J(n, U(r).failure)), q(e, t);
	};
	Y(y, (e) => {
		U(r).failure !== null && e(b);
	}), k(o), B((e, t) => {
		J(l, e), u.disabled = U(r).isOn, Q(u, "placeholder", t);
	}, [() => U(n)("web.run.text", { model: t.model.opened?.name ?? "" }), () => U(n)("web.run.placeholder")]), _r("submit", o, a), _i(u, () => U(r).text, (e) => U(r).text = e), q(e, o), j();
}
G(["click"]);
// src/model/Stages.svelte
var Sd = /* @__PURE__ */ K("<p class=\"waiting\"> </p>"), Cd = /* @__PURE__ */ K("<li><button> </button></li>"), wd = /* @__PURE__ */ K("<p><button class=\"link\"> </button></p>"), Td = /* @__PURE__ */ K("<div class=\"stage-html\"><!> <!></div>"), Ed = /* @__PURE__ */ K("<ol class=\"way\"></ol> <!>", 1), Dd = /* @__PURE__ */ K("<section class=\"part stages\"><h2> </h2> <!></section>");
function Od(e, t) {
	A(t, !0);
	let n = /* @__PURE__ */ M(() => t.model.app.say), r = /* @__PURE__ */ M(() => t.model.cell?.query ?? 0), i = /* @__PURE__ */ P(0), a = /* @__PURE__ */ M(() => t.model.stages ?? []), o = /* @__PURE__ */ M(() => U(a)[Math.min(U(i), U(a).length - 1)]), s = (e) => (t) => la(t, e);
	var c = Dd(), l = I(c), u = R(l, !0), d = z(l, 2), f = (e) => {
		var t = Sd(), r = R(t, !0);
		B((e) => J(r, e), [() => U(n)("web.waiting")]), q(e, t);
	}, p = (e) => {
		var r = Ed(), c = L(r);
		X(c, 21, () => U(a), Vr, (e, t, n) => {
			var r = Cd(), a = I(r), s = R(a, !0);
			k(r), B(() => {
				Q(a, "aria-current", U(t) === U(o) ? "step" : void 0), J(s, U(t).title);
			}), W("click", a, () => F(i, n, !0)), q(e, r);
		}), k(c), Br(z(c, 2), () => U(o), (e) => {
			var r = Td(), i = I(r), a = (e) => {
				var r = wd(), i = I(r), a = R(i, !0);
				k(r), B((e) => J(a, e), [() => U(n)("web.stages.working", { address: U(o).address })]), W("click", i, () => t.model.follow(U(o).address)), q(e, r);
			};
			Y(i, (e) => {
				U(o).address !== "" && e(a);
			}), Z(z(i, 2), () => U(o).html), k(r), Zr(r, () => s(U(o).title)), q(e, r);
		}), q(e, r);
	};
	Y(d, (e) => {
		U(o) === void 0 ? e(f) : e(p, -1);
	}), k(c), B((e, t) => {
		Q(c, "aria-label", e), J(u, t);
	}, [() => U(n)("web.stages"), () => U(n)("web.stages.of", {
		query: U(r),
		word: ol(t.model.queryWords?.[U(r)] ?? "")
	})]), q(e, c), j();
}
G(["click"]);
// src/model/OverTraining.svelte
var kd = /* @__PURE__ */ K("<p class=\"failure\" role=\"alert\"> </p>"), Ad = /* @__PURE__ */ K("<p class=\"waiting\"> </p>"), jd = /* @__PURE__ */ K("<label class=\"moment\"><span> </span> <input type=\"range\" min=\"0\" step=\"1\"/></label> <p class=\"now\"><code> </code> <span class=\"equals\">≈</span> <strong> </strong></p> <img/> <div class=\"wide table\"></div>", 1), Md = /* @__PURE__ */ K("<details class=\"over-time\"><summary> </summary> <!></details>");
function Nd(e, t) {
	A(t, !0);
	let n = /* @__PURE__ */ M(() => t.model.app), r = /* @__PURE__ */ M(() => U(n).say), i = /* @__PURE__ */ P(null), a = /* @__PURE__ */ P(null), o = /* @__PURE__ */ P(0), s = /* @__PURE__ */ M(() => U(i)?.moments[U(o)] ?? null), c = new AbortController();
	_n(() => () => c.abort());
	async function l(e) {
		if (e.currentTarget.open && U(i) === null) {
			F(a, null);
			try {
				F(i, await U(n).api.overTime(t.model.id, t.address, U(n).lang, c.signal)), F(o, U(i).moments.length - 1);
			} catch (e) {
				F(a, U(n).told(e));
			}
		}
	}
	var u = Md(), d = I(u), f = R(d, !0), p = z(d, 2), m = (e) => {
		var t = kd(), n = R(t, !0);
		B(() => J(n, U(a))), q(e, t);
	}, h = (e) => {
		var t = Ad(), n = R(t, !0);
		B((e) => J(n, e), [() => U(r)("web.waiting")]), q(e, t);
	}, g = (e) => {
		var t = jd(), n = L(t), a = I(n), c = R(a, !0), l = z(a, 2);
		di(l), k(n);
		var u = z(n, 2), d = I(u), f = R(d, !0), p = R(z(d, 4), !0);
		k(u);
		var m = z(u, 2), h = z(m, 2);
		Z(h, () => U(i).html, !0), k(h), B((e, t) => {
			J(c, e), Q(l, "max", U(i).moments.length - 1), Q(l, "aria-valuetext", `${t ?? ""}: ${U(s).printed ?? ""}`), J(f, U(i).address), J(p, U(s).printed), Q(m, "src", `data:image/svg+xml;base64,${U(i).picture ?? ""}`), Q(m, "alt", U(i).title);
		}, [() => U(r)("web.over-time.step", { step: U(s).step }), () => U(r)("web.over-time.step", { step: U(s).step })]), _i(l, () => U(o), (e) => F(o, e)), q(e, t);
	};
	Y(p, (e) => {
		U(a) === null ? U(i) === null || U(s) === null ? e(h, 1) : e(g, -1) : e(m);
	}), k(u), B((e) => J(f, e), [() => U(r)("web.over-time")]), _r("toggle", u, l), q(e, u), j();
}
// src/model/WeightPanel.svelte
var Pd = /* @__PURE__ */ K("<span class=\"equals\">≈</span><strong> </strong>", 1), Fd = /* @__PURE__ */ K("<p class=\"where-of-map\"> </p>"), Id = /* @__PURE__ */ K("<header><h2><code> </code><!></h2></header> <!> <p class=\"note\"> </p>", 1), Ld = /* @__PURE__ */ K("<p class=\"waiting\"> </p>"), Rd = /* @__PURE__ */ K("<p class=\"rank\"> </p>"), zd = /* @__PURE__ */ K("<p class=\"facts\"><span> </span> <code> </code></p>"), Bd = /* @__PURE__ */ K("<button class=\"quiet\"> </button>"), Vd = /* @__PURE__ */ K("<header><h2><code> </code><span class=\"equals\"> </span><strong> </strong></h2> <span> </span> <button class=\"round fold\"> </button></header> <!> <!> <!> <!> <!> <!> <!> <!> <p class=\"actions\"><!> <!> <!> <button class=\"quiet\"> </button> <button class=\"quiet\"> </button></p>", 1), Hd = /* @__PURE__ */ K("<section tabindex=\"0\"><!></section>");
function Ud(e, t) {
	A(t, !0);
	let n = /* @__PURE__ */ M(() => t.model.app), r = /* @__PURE__ */ M(() => U(n).say), i = /* @__PURE__ */ M(() => t.model.panel), a = /* @__PURE__ */ M(() => U(i) !== null && U(i).address !== t.model.address), o = /* @__PURE__ */ M(() => t.model.cell === null ? "" : (t.model.digit(t.model.cell.query, t.model.cell.key) ?? "").trim()), s = (e) => void t.model.follow(e), c = /* @__PURE__ */ P(/* @__PURE__ */ new Set()), l = (e) => e.filter((e) => !U(c).has(e));
	var u = Hd();
	let d;
	var f = I(u), p = (e) => {
		var n = Id(), i = L(n), a = I(i), s = I(a), c = R(s, !0), l = z(s), u = (e) => {
			var t = Pd(), n = R(z(L(t)), !0);
			B(() => J(n, U(o))), q(e, t);
		};
		Y(l, (e) => {
			U(o) && e(u);
		}), k(a), k(i);
		var d = z(i, 2), f = (e) => {
			var n = Fd(), r = R(n, !0);
			B((e) => J(r, e), [() => t.model.whereOf(t.model.cell)]), q(e, n);
		};
		Y(d, (e) => {
			t.model.cell !== null && e(f);
		});
		var p = R(z(d, 2), !0);
		B((e) => {
			J(c, t.model.address), J(p, e);
		}, [() => U(r)("web.map.alone")]), q(e, n);
	}, m = /* @__PURE__ */ M(() => !U(n).api.offers.has("weight")), h = (e) => {
		var t = Ld(), n = R(t, !0);
		B((e) => J(n, e), [() => U(r)("web.waiting")]), q(e, t);
	}, g = (e) => {
		var a = Vd(), o = L(a), u = I(o), d = I(u), f = R(d, !0), p = z(d), m = R(p, !0), h = R(z(p), !0);
		k(u);
		var g = z(u, 2), _ = R(g), v = z(g, 2), y = R(v, !0);
		k(o);
		var b = z(o, 2), x = (e) => {
			var n = Fd(), r = R(n, !0);
			B((e) => J(r, e), [() => t.model.whereOf(U(i))]), q(e, n);
		}, S = /* @__PURE__ */ M(() => t.model.whereOf(U(i)) !== "");
		Y(b, (e) => {
			U(S) && e(x);
		});
		var C = z(b, 2), w = (e) => {
			var t = Rd(), n = R(t, !0);
			B(() => J(n, U(i).rank)), q(e, t);
		};
		Y(C, (e) => {
			U(i).rank && e(w);
		});
		var T = z(C, 2);
		da(T, {
			get cell() {
				return U(i);
			},
			follow: s,
			get linked() {
				return U(c);
			},
			set linked(e) {
				F(c, e);
			}
		});
		var E = z(T, 2), ee = (e) => {
			var t = zd(), n = I(t), a = R(n, !0), o = R(z(n, 2), !0);
			k(t), B((e) => {
				J(a, e), J(o, U(i).exact);
			}, [() => U(r)("web.exact")]), q(e, t);
		}, te = /* @__PURE__ */ M(() => U(i).exact?.includes("/"));
		Y(E, (e) => {
			U(te) && e(ee);
		});
		var ne = z(E, 2), re = (e) => {
			var t = zd(), n = I(t), a = R(n, !0), o = R(z(n, 2), !0);
			k(t), B((e) => {
				J(a, e), J(o, U(i).digits);
			}, [() => U(r)("web.all-digits")]), q(e, t);
		}, ie = /* @__PURE__ */ M(() => U(i).digits !== U(i).value && !U(i).html.includes(U(i).digits));
		Y(ne, (e) => {
			U(ie) && e(re);
		});
		var ae = z(ne, 2);
		{
			let e = /* @__PURE__ */ M(() => U(r)("web.uses")), t = /* @__PURE__ */ M(() => l(U(i).uses));
			ha(ae, {
				get app() {
					return U(n);
				},
				follow: s,
				get label() {
					return U(e);
				},
				kind: "uses",
				get addresses() {
					return U(t);
				}
			});
		}
		var oe = z(ae, 2);
		{
			let e = /* @__PURE__ */ M(() => U(r)("web.used-by")), t = /* @__PURE__ */ M(() => l(U(i).used_by));
			ha(oe, {
				get app() {
					return U(n);
				},
				follow: s,
				get label() {
					return U(e);
				},
				kind: "used-by",
				get addresses() {
					return U(t);
				}
			});
		}
		var se = z(oe, 2), ce = (e) => {
			var n = Or();
			Br(L(n), () => U(i).address, (e) => {
				Nd(e, {
					get model() {
						return t.model;
					},
					get address() {
						return U(i).address;
					}
				});
			}), q(e, n);
		}, le = /* @__PURE__ */ M(() => t.model.page?.learned && U(n).api.offers.has("overTime"));
		Y(se, (e) => {
			U(le) && e(ce);
		});
		var ue = z(se, 2), de = I(ue), fe = (e) => {
			var t = Bd(), i = R(t, !0);
			B((e) => J(i, e), [() => U(r)("web.share")]), W("click", t, () => Co(U(n))), q(e, t);
		};
		Y(de, (e) => {
			!U(n).alone && U(n).isAddressed && e(fe);
		});
		var pe = z(de, 2), me = (e) => {
			var t = Bd(), a = R(t, !0);
			B((e) => J(a, e), [() => U(r)("web.copy.python")]), W("click", t, () => ca(U(n), U(i).python ?? "")), q(e, t);
		};
		Y(pe, (e) => {
			U(i).python && e(me);
		});
		var he = z(pe, 2), ge = (e) => {
			var t = Bd(), a = R(t, !0);
			B((e) => J(a, e), [() => U(r)("web.copy.latex")]), W("click", t, () => ca(U(n), U(i).latex ?? "")), q(e, t);
		};
		Y(he, (e) => {
			U(i).latex && e(ge);
		});
		var _e = z(he, 2), ve = R(_e, !0), ye = z(_e, 2), be = R(ye, !0);
		k(ue), B((e, t, r, a) => {
			J(f, U(i).address), J(m, U(i).holds === "exact" ? "=" : "≈"), J(h, U(i).value), ei(g, 1, `holds ${U(i).holds ?? ""}`), J(_, `${U(i).holds === "exact" ? "✓" : "≈"} ${e ?? ""}`), Q(v, "aria-expanded", !U(n).folded), Q(v, "aria-label", t), J(y, U(n).folded ? "▴" : "▾"), J(ve, r), J(be, a);
		}, [
			() => U(r)(`web.holds.${U(i).holds}`),
			() => U(r)("web.panel.fold"),
			() => U(r)("web.copy.value"),
			() => U(r)("web.copy.spoken")
		]), W("click", v, () => U(n).folded = !U(n).folded), W("click", _e, () => ca(U(n), U(i).digits)), W("click", ye, () => ca(U(n), U(i).spoken)), q(e, a);
	};
	Y(f, (e) => {
		U(m) ? e(p) : U(i) === null ? e(h, 1) : e(g, -1);
	}), k(u), B((e) => {
		d = ei(u, 1, "panel", null, d, {
			stale: U(a),
			folded: U(n).folded
		}), Q(u, "aria-label", e);
	}, [() => U(r)("web.panel")]), q(e, u), j();
}
G(["click"]);
// src/model/ModelPage.svelte
var Wd = /* @__PURE__ */ K("<p class=\"failure\" role=\"alert\"> <button class=\"quiet\"> </button></p>"), Gd = /* @__PURE__ */ K("<p> </p>"), Kd = /* @__PURE__ */ K("<p class=\"waiting\"> </p>"), qd = /* @__PURE__ */ K("<section class=\"empty\"><h1> </h1> <!></section>"), Jd = /* @__PURE__ */ K("<div class=\"title\"><h1> </h1></div> <!> <details class=\"about\"><summary> </summary> <div class=\"intro\"></div></details> <!> <!> <div><!> <section class=\"map-part\"><!> <!> <!> <!></section> <!></div> <!> <!>", 1), Yd = /* @__PURE__ */ K("<!> <!>", 1);
function Xd(e, t) {
	A(t, !0);
	let n = Ti(t, "model", 7), r = /* @__PURE__ */ M(() => n().app), i = /* @__PURE__ */ M(() => U(r).say), a = /* @__PURE__ */ M(() => n().opened?.kind === "model" && U(r).api.offers.has("run")), o = /* @__PURE__ */ M(() => U(r).api.offers.has("thumbs") && n().order.length > 1);
	var s = Yd(), c = L(s), l = (e) => {
		var t = Wd(), r = I(t), a = z(r), o = R(a, !0);
		k(t), B((e) => {
			J(r, `${n().failure ?? ""} `), J(o, e);
		}, [() => U(i)("web.close")]), W("click", a, () => n().failure = null), q(e, t);
	};
	Y(c, (e) => {
		n().failure !== null && e(l);
	});
	var u = z(c, 2), d = (e) => {
		var t = qd(), r = I(t), o = R(r, !0), s = z(r, 2), c = (e) => {
			xd(e, { get model() {
				return n();
			} });
		}, l = (e) => {
			var t = Gd(), n = R(t, !0);
			B((e) => J(n, e), [() => U(i)("web.model.nothing")]), q(e, t);
		}, u = (e) => {
			var t = Kd(), n = R(t, !0);
			B((e) => J(n, e), [() => U(i)("web.waiting")]), q(e, t);
		};
		Y(s, (e) => {
			U(a) ? e(c) : n().opened !== null && !n().isBusy ? e(l, 1) : n().failure === null && e(u, 2);
		}), k(t), B((e) => J(o, e), [() => U(i)("web.nav.model")]), q(e, t);
	}, f = (e) => {
		var t = Jd(), s = L(t), c = R(I(s), !0);
		k(s);
		var l = z(s, 2), u = (e) => {
			xd(e, { get model() {
				return n();
			} });
		};
		Y(l, (e) => {
			U(a) && e(u);
		});
		var d = z(l, 2), f = I(d), p = R(f, !0), m = z(f, 2);
		Z(m, () => n().page.html, !0), k(m), k(d);
		var h = z(d, 2);
		Tu(h, { get model() {
			return n();
		} });
		var g = z(h, 2), _ = (e) => {
			gl(e, { get model() {
				return n();
			} });
		};
		Y(g, (e) => {
			n().asking !== null && e(_);
		});
		var v = z(g, 2);
		let y;
		var b = I(v), x = (e) => {
			Ml(e, { get model() {
				return n();
			} });
		};
		Y(b, (e) => {
			U(o) && e(x);
		});
		var S = z(b, 2), C = I(S);
		Il(C, { get model() {
			return n();
		} });
		var w = z(C, 2);
		Ou(w, { get model() {
			return n();
		} });
		var T = z(w, 2);
		Nu(T, { get model() {
			return n();
		} });
		var E = z(T, 2), ee = (e) => {
			md(e, { get model() {
				return n();
			} });
		}, te = /* @__PURE__ */ M(() => U(r).api.offers.has("row"));
		Y(E, (e) => {
			U(te) && e(ee);
		}), k(S), Ud(z(S, 2), { get model() {
			return n();
		} }), k(v);
		var ne = z(v, 2), re = (e) => {
			xl(e, { get model() {
				return n();
			} });
		};
		Y(ne, (e) => {
			n().against !== null && e(re);
		});
		var ie = z(ne, 2), ae = (e) => {
			Od(e, { get model() {
				return n();
			} });
		};
		Y(ie, (e) => {
			n().isStaged && e(ae);
		}), B((e, t) => {
			J(c, n().page.title), J(p, e), y = ei(v, 1, "model", null, y, { single: !U(o) }), Q(v, "aria-busy", n().isBusy), Q(S, "aria-label", t);
		}, [() => U(i)("web.model.about"), () => U(i)("web.map.label", { head: n().head ?? "" })]), q(e, t);
	};
	Y(u, (e) => {
		n().page === null ? e(d) : e(f, -1);
	}), q(e, s), j();
}
G(["click"]);
// src/model/act.ts
var Zd = 16;
function Qd(e, t, n) {
	let { target: r } = e, i = r instanceof Element && e.key.startsWith("Arrow") && r.closest(".panel, .wide:not(.reader *)") !== null;
	if (t.page === null || i) return !1;
	let a = ec(e, {
		...nc(r),
		grid: !1
	}, n, t.app.singles);
	return a === null || !$d(a, e.shiftKey, t) ? !1 : (e.preventDefault(), !0);
}
function $d(e, t, n) {
	let r = t ? Zd : 1;
	switch (e) {
		case "up": return n.move(-r, 0), !0;
		case "down": return n.move(r, 0), !0;
		case "left": return n.move(0, -r), !0;
		case "right": return n.move(0, r), !0;
		case "peak-up": return n.peak("up"), !0;
		case "peak-down": return n.peak("down"), !0;
		case "peak-left": return n.peak("left"), !0;
		case "peak-right": return n.peak("right"), !0;
		case "worst": return n.compare.move(t ? -1 : 1);
		case "stop": return n.asking !== null && (n.asking = null, !0);
		default: return ef(e, n);
	}
}
function ef(e, t) {
	switch (e) {
		case "next-layer":
			t.step("layer", 1);
			break;
		case "previous-layer":
			t.step("layer", -1);
			break;
		case "next-head":
			t.step("head", 1);
			break;
		case "previous-head":
			t.step("head", -1);
			break;
		case "zoom-in":
			t.map?.zoomAtCell(uu);
			break;
		case "zoom-out":
			t.map?.zoomAtCell(-uu);
			break;
		case "zoom-fit":
			t.map?.fit();
			break;
		case "zoom-cell":
			if (t.cell === null) return !1;
			t.map?.dive(t.cell);
			break;
		case "goto":
		case "find":
			t.asking = e;
			break;
		case "table":
			t.setTabled(!t.isTabled);
			break;
		case "stages":
			t.setStaged(!t.isStaged);
			break;
		default: return !1;
	}
	return !0;
}
// src/Widget.svelte
var tf = /* @__PURE__ */ K("<p class=\"failure\" role=\"alert\"> </p>"), nf = /* @__PURE__ */ K("<section class=\"widget\" aria-label=\"workings\" tabindex=\"0\"><!> <div class=\"page\"><!> <!></div> <!> <div class=\"hidden\" aria-live=\"polite\"> </div> <div class=\"notice\" aria-hidden=\"true\"> </div></section>");
function rf(e, t) {
	A(t, !0);
	let n = /* @__PURE__ */ M(() => (t.app.route === "model" ? qs : Us).filter((e) => e.action !== "share"));
	function r(e) {
		if (e.stopPropagation(), e.defaultPrevented || t.app.help || t.app.route === "model" && Qd(e, t.model, U(n))) return;
		let r = ec(e, nc(e.target), U(n), t.app.singles);
		r !== null && yo(r, t.app, t.example, null, t.model) && e.preventDefault();
	}
	var i = nf(), a = I(i);
	Hs(a, {
		get app() {
			return t.app;
		},
		get example() {
			return t.example;
		},
		get model() {
			return t.model;
		}
	});
	var o = z(a, 2), s = I(o), c = (e) => {
		var n = tf(), r = R(n, !0);
		B(() => J(r, t.app.failure)), q(e, n);
	};
	Y(s, (e) => {
		t.app.failure !== null && e(c);
	});
	var l = z(s, 2), u = (e) => {
		Xd(e, { get model() {
			return t.model;
		} });
	}, d = (e) => {
		us(e, {
			get app() {
				return t.app;
			},
			get example() {
				return t.example;
			}
		});
	};
	Y(l, (e) => {
		t.app.route === "model" ? e(u) : e(d, -1);
	}), k(o);
	var f = z(o, 2);
	mc(f, {
		get app() {
			return t.app;
		},
		get keys() {
			return U(n);
		}
	});
	var p = z(f, 2), m = R(p, !0), h = z(p, 2), g = R(h, !0);
	k(i), B(() => {
		J(m, t.app.said), Q(h, "hidden", t.app.notice === ""), J(g, t.app.notice);
	}), W("keydown", i, r), q(e, i), j();
}
G(["keydown"]);
// src/lib/comm.ts
function af(e) {
	let t = /* @__PURE__ */ new Map(), n = Math.floor(Math.random() * 2 ** 48), r = (e, n) => {
		let { id: r, status: i, media: a, filename: o } = e, s = t.get(r);
		if (s === void 0) return;
		t.delete(r);
		let c = new Headers({ "Content-Type": a });
		o !== "" && c.set("Content-Disposition", `attachment; filename*=UTF-8''${encodeURIComponent(o)}`), s.done(new Response(of(n[0]), {
			status: i,
			headers: c
		}));
	};
	return e.on("msg:custom", r), {
		fetch: (r, i) => new Promise((a, o) => {
			let s = ++n, [c = "", l = ""] = r.replace(/^\/api\//, "").split("/"), u = () => {
				t.delete(s), o(new DOMException("", "AbortError"));
			};
			if (i.signal?.aborted) return u();
			i.signal?.addEventListener("abort", u), t.set(s, {
				done: a,
				fail: o
			}), e.send({
				id: s,
				name: c,
				body: typeof i.body == "string" ? i.body : JSON.stringify({ lang: l })
			});
		}),
		stop: () => {
			e.off("msg:custom", r);
			for (let { fail: e } of t.values()) e(new DOMException("", "AbortError"));
			t.clear();
		}
	};
}
function of(e) {
	return e instanceof DataView ? new Uint8Array(e.buffer, e.byteOffset, e.byteLength).slice() : e === void 0 ? /* @__PURE__ */ new Uint8Array() : new Uint8Array(e).slice();
}
// src/lib/ground.ts
function sf(e) {
	let t = document.createElement("canvas").getContext("2d", { willReadFrequently: !0 });
	if (t === null) return null;
	for (let n = e.parentNode; n !== null; n = n instanceof ShadowRoot ? n.host : n.parentNode) {
		if (!(n instanceof Element)) continue;
		t.clearRect(0, 0, 1, 1), t.fillStyle = getComputedStyle(n).backgroundColor, t.fillRect(0, 0, 1, 1);
		let [e = 0, r = 0, i = 0, a = 0] = t.getImageData(0, 0, 1, 1).data;
		if (a > 127) return .2126 * e + .7152 * r + .0722 * i < 128 ? "dark" : "light";
	}
	return null;
}
function cf(e, t) {
	let n = new AbortController(), r = () => {
		e.isConnected && t(sf(e));
	}, i = new MutationObserver(r);
	for (let e of [document.documentElement, document.body]) i.observe(e, { attributes: !0 });
	let a = new ResizeObserver(r);
	return a.observe(e), window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", r, { signal: n.signal }), document.addEventListener("transitionend", r, { signal: n.signal }), () => {
		n.abort(), i.disconnect(), a.disconnect();
	};
}
// src/lib/address.ts
var lf = class {
	turn = 0;
	write(e, t) {
		let n = ++this.turn, r = location.pathname;
		zl(e).then((e) => {
			if (!(location.pathname !== r || n !== this.turn && !t || e === location.hash)) try {
				t ? history.pushState(null, "", e) : history.replaceState(null, "", e);
			} catch {}
		});
	}
}, uf = class {
	#e = /* @__PURE__ */ P([]);
	get done() {
		return U(this.#e);
	}
	set done(e) {
		F(this.#e, e);
	}
	#t = /* @__PURE__ */ P([]);
	get undone() {
		return U(this.#t);
	}
	set undone(e) {
		F(this.#t, e);
	}
	add(e) {
		this.done = [...this.done, e], this.undone = [];
	}
	undo(e) {
		let t = this.done.at(-1) ?? null;
		return t === null ? null : (this.done = this.done.slice(0, -1), this.undone = [...this.undone, e], t);
	}
	redo(e) {
		let t = this.undone.at(-1) ?? null;
		return t === null ? null : (this.undone = this.undone.slice(0, -1), this.done = [...this.done, e], t);
	}
	clear() {
		this.done = [], this.undone = [];
	}
}, df = class {
	around;
	#e = /* @__PURE__ */ P(null);
	get pinned() {
		return U(this.#e);
	}
	set pinned(e) {
		F(this.#e, e, !0);
	}
	#t = /* @__PURE__ */ P(null);
	get hovered() {
		return U(this.#t);
	}
	set hovered(e) {
		F(this.#t, e, !0);
	}
	#n = /* @__PURE__ */ P(null);
	get cell() {
		return U(this.#n);
	}
	set cell(e) {
		F(this.#n, e);
	}
	#r = /* @__PURE__ */ P(null);
	get term() {
		return U(this.#r);
	}
	set term(e) {
		F(this.#r, e, !0);
	}
	#i = /* @__PURE__ */ P(!1);
	get hinted() {
		return U(this.#i);
	}
	set hinted(e) {
		F(this.#i, e, !0);
	}
	#a = /* @__PURE__ */ P(!1);
	get cover() {
		return U(this.#a);
	}
	set cover(e) {
		F(this.#a, e, !0);
	}
	#o = /* @__PURE__ */ P(/* @__PURE__ */ new Set());
	get revealed() {
		return U(this.#o);
	}
	set revealed(e) {
		F(this.#o, e);
	}
	#s = /* @__PURE__ */ M(() => this.hovered ?? this.pinned);
	get shown() {
		return U(this.#s);
	}
	set shown(e) {
		F(this.#s, e);
	}
	cells;
	constructor(e) {
		this.around = e, this.cells = new Pu(e.ask);
	}
	renew() {
		this.cells.clear(), this.hovered = null;
	}
	forget() {
		this.renew(), this.cell = null, this.pinned = null, this.revealed = /* @__PURE__ */ new Set();
	}
	hover(e) {
		this.hovered !== e && (this.hovered = e, this.term = null, this.fetch(!1));
	}
	pin(e) {
		this.hovered = null, this.pinned !== e && (this.pinned = e, this.hinted = !1, this.term = null);
	}
	setCover(e) {
		this.cover = e, this.revealed = /* @__PURE__ */ new Set(), this.hinted = !1;
	}
	reveal(e) {
		this.revealed = /* @__PURE__ */ new Set([...this.revealed, e]), this.cell !== null && this.around.aloud(this.cell.spoken);
	}
	drop() {
		this.cells.drop();
	}
	fetch(e) {
		let t = this.shown;
		if (t === null) return this.drop();
		this.cells.want(t, (t) => {
			this.cell = t, e && this.around.aloud(t.spoken);
		}, this.around.fail);
	}
}, ff = 2400, pf = class {
	example;
	#e = /* @__PURE__ */ P(!1);
	get on() {
		return U(this.#e);
	}
	set on(e) {
		F(this.#e, e, !0);
	}
	timer;
	constructor(e) {
		this.example = e;
	}
	toggle() {
		let { example: e } = this;
		if (this.on || e.quiz.on) return this.pause();
		let t = e.steps.findIndex((e) => !e.given);
		e.at >= e.steps.length - 1 && e.go(Math.max(0, t)), this.on = !0, this.timer = setInterval(() => this.advance(), ff);
	}
	pause() {
		clearInterval(this.timer), this.on = !1;
	}
	advance() {
		let { example: e } = this, { pinned: t } = e.look, n = e.cells[e.cells.indexOf(t ?? "") + 1];
		t !== null && e.isCovered(t) ? e.reveal() : n !== void 0 && e.step?.given === !1 ? e.choose(n, !1) : e.at < e.steps.length - 1 ? e.go(e.at + 1, !1) : this.pause();
	}
}, mf = class {
	app;
	#e = /* @__PURE__ */ P(null);
	get found() {
		return U(this.#e);
	}
	set found(e) {
		F(this.#e, e);
	}
	running = null;
	constructor(e) {
		this.app = e;
	}
	async ask(e, t) {
		this.running?.abort();
		let n = this.running = new AbortController();
		this.found = null;
		try {
			let r = await this.app.api.proof(e, t, n.signal);
			this.running === n && (this.found = r);
		} catch (e) {
			let t = this.app.told(e);
			t !== null && this.running === n && (this.found = {
				equalities: 1,
				hold: 0,
				message: t
			});
		}
	}
};
// src/lib/steps.ts
function hf(e) {
	let t = {
		opening: e?.html ?? "",
		steps: [],
		closing: ""
	};
	for (let n of e?.steps ?? []) n.address !== "" && !t.steps.some((e) => e.address === n.address) ? t.steps.push(n) : n.html !== "" && t.steps.length === 0 ? t.opening += n.html : n.html !== "" && (t.closing += `<h2>${n.title}</h2>${n.html}`);
	return t.closing += e?.closing ?? "", t;
}
function gf(e, t) {
	let n = Ro(t), r = e.findIndex((e) => e.address === n);
	if (r !== -1) return r;
	let i = `data-cell="${t}"`;
	return e.findIndex((e) => e.html.includes(i));
}
// src/lib/quiz.svelte.ts
var _f = class {
	example;
	#e = /* @__PURE__ */ P(null);
	get seed() {
		return U(this.#e);
	}
	set seed(e) {
		F(this.#e, e, !0);
	}
	#t = /* @__PURE__ */ P(null);
	get wanted() {
		return U(this.#t);
	}
	set wanted(e) {
		F(this.#t, e, !0);
	}
	#n = /* @__PURE__ */ P([]);
	get blanks() {
		return U(this.#n);
	}
	set blanks(e) {
		F(this.#n, e);
	}
	#r = /* @__PURE__ */ P(/* @__PURE__ */ new Map());
	get given() {
		return U(this.#r);
	}
	set given(e) {
		F(this.#r, e);
	}
	#i = /* @__PURE__ */ P(0);
	get at() {
		return U(this.#i);
	}
	set at(e) {
		F(this.#i, e, !0);
	}
	#a = /* @__PURE__ */ P(null);
	get hint() {
		return U(this.#a);
	}
	set hint(e) {
		F(this.#a, e);
	}
	#o = /* @__PURE__ */ P(!1);
	get busy() {
		return U(this.#o);
	}
	set busy(e) {
		F(this.#o, e, !0);
	}
	#s = /* @__PURE__ */ M(() => this.seed !== null);
	get on() {
		return U(this.#s);
	}
	set on(e) {
		F(this.#s, e);
	}
	#c = /* @__PURE__ */ M(() => this.blanks[this.at] ?? null);
	get blank() {
		return U(this.#c);
	}
	set blank(e) {
		F(this.#c, e);
	}
	#l = /* @__PURE__ */ M(() => [...this.given.values()].filter((e) => e.judged?.right === !0 && !e.isRevealed).length);
	get right() {
		return U(this.#l);
	}
	set right(e) {
		F(this.#l, e);
	}
	#u = /* @__PURE__ */ M(() => [...this.given.values()].filter((e) => e.judged !== null || e.isRevealed).length);
	get tried() {
		return U(this.#u);
	}
	set tried(e) {
		F(this.#u, e);
	}
	constructor(e) {
		this.example = e;
	}
	async begin(e, t = null, n = !0) {
		let { app: r, source: i, view: a } = this.example;
		if (i !== null) {
			this.example.player.pause(), this.busy = !0;
			try {
				let o = await r.api.worksheet(i, a, {
					seed: e,
					blanks: t,
					steps: []
				});
				this.blanks = o.blanks, this.given = /* @__PURE__ */ new Map(), this.wanted = t, this.seed = o.seed, this.enterAt(n ? 0 : this.nearest()), n && this.example.sync(!0), r.aloud(r.say("web.quiz.begun", { n: this.blanks.length })), n && await this.focus();
			} catch (e) {
				this.example.failure = r.told(e);
			} finally {
				this.busy = !1;
			}
		}
	}
	stop(e = !0) {
		if (!this.on || (this.seed = null, this.blanks = [], this.given = /* @__PURE__ */ new Map(), this.hint = null, !e)) return;
		let { pinned: t } = this.example.look;
		t !== null && this.example.choose(t, !1), this.example.sync(!0);
	}
	nearest() {
		let { cells: e, look: t } = this.example;
		return [this.blanks.findIndex((e) => e.address === t.pinned), this.blanks.findIndex((t) => e.includes(t.address))].find((e) => e !== -1) ?? 0;
	}
	numberOf(e) {
		return this.blanks.find((t) => t.address === e)?.number ?? null;
	}
	left(e) {
		return e.filter((e) => this.numberOf(e) !== null && this.given.get(e)?.judged?.right !== !0).length;
	}
	enter(e) {
		let t = this.blanks.findIndex((t) => t.address === e);
		t !== -1 && t !== this.at && (this.at = t, this.hint = null);
	}
	enterAt(e) {
		this.at = e, this.hint = null;
		let t = this.blanks[e];
		t !== void 0 && (this.example.at = Math.max(0, gf(this.example.steps, t.address)), this.example.look.pinned = t.address);
	}
	async move(e) {
		let t = Ho(this.at, e, this.blanks.length);
		t !== -1 && (this.enterAt(t), this.example.sync(!1), await this.focus());
	}
	async focus() {
		await sr(), this.blank !== null && this.example.focus(this.blank.address);
	}
	isRight(e, t) {
		let n = this.given.get(e);
		return n?.judged?.right === !0 && n.answer === t;
	}
	async answer(e, t) {
		let { app: n, source: r, view: i } = this.example, a = this.given.get(e);
		if (!(r === null || t === "" || a?.answer === t && a.judged !== null)) {
			this.put(e, {
				answer: t,
				judged: null,
				isRevealed: !1
			});
			try {
				let a = {
					seed: this.seed ?? 0,
					blanks: this.wanted,
					steps: []
				}, o = await n.api.answer(r, i, a, e, t);
				if (this.given.get(e)?.answer !== t) return;
				this.put(e, {
					answer: t,
					judged: o,
					isRevealed: !1
				}), n.aloud(n.say(o.right ? "web.quiz.right" : "web.quiz.wrong"));
			} catch (e) {
				this.example.failure = n.told(e);
			}
		}
	}
	async showHint() {
		let { app: e, source: t, view: n } = this.example, r = this.blank;
		if (t !== null && r !== null) try {
			let { hint: i } = await e.api.cell(t, n, r.address);
			this.blank === r && (this.hint = i);
		} catch (t) {
			this.example.failure = e.told(t);
		}
	}
	async reveal() {
		let { app: e, source: t, view: n } = this.example, r = this.blank;
		if (t !== null && r !== null) try {
			let i = await e.api.cell(t, n, r.address);
			this.put(r.address, {
				answer: i.value,
				judged: {
					right: !0,
					verdict: "",
					html: i.html
				},
				isRevealed: !0
			}), e.aloud(i.spoken);
		} catch (t) {
			this.example.failure = e.told(t);
		}
	}
	put(e, t) {
		this.given = new Map([...this.given, [e, t]]);
	}
}, vf = class {
	app;
	look;
	quiz;
	proof;
	history = new uf();
	player = new pf(this);
	#e = /* @__PURE__ */ P([]);
	get names() {
		return U(this.#e);
	}
	set names(e) {
		F(this.#e, e);
	}
	#t = /* @__PURE__ */ P(null);
	get opened() {
		return U(this.#t);
	}
	set opened(e) {
		F(this.#t, e);
	}
	#n = /* @__PURE__ */ P(null);
	get source() {
		return U(this.#n);
	}
	set source(e) {
		F(this.#n, e);
	}
	#r = /* @__PURE__ */ P("auto");
	get precision() {
		return U(this.#r);
	}
	set precision(e) {
		F(this.#r, e, !0);
	}
	#i = /* @__PURE__ */ P(null);
	get carry() {
		return U(this.#i);
	}
	set carry(e) {
		F(this.#i, e, !0);
	}
	#a = /* @__PURE__ */ P(null);
	get page() {
		return U(this.#a);
	}
	set page(e) {
		F(this.#a, e);
	}
	#o = /* @__PURE__ */ P("step");
	get layout() {
		return U(this.#o);
	}
	set layout(e) {
		F(this.#o, e, !0);
	}
	#s = /* @__PURE__ */ P(0);
	get at() {
		return U(this.#s);
	}
	set at(e) {
		F(this.#s, e, !0);
	}
	#c = /* @__PURE__ */ P(!1);
	get editing() {
		return U(this.#c);
	}
	set editing(e) {
		F(this.#c, e, !0);
	}
	#l = /* @__PURE__ */ P(!1);
	get busy() {
		return U(this.#l);
	}
	set busy(e) {
		F(this.#l, e, !0);
	}
	#u = /* @__PURE__ */ P(null);
	get failure() {
		return U(this.#u);
	}
	set failure(e) {
		F(this.#u, e);
	}
	#d = /* @__PURE__ */ P([]);
	get changed() {
		return U(this.#d);
	}
	set changed(e) {
		F(this.#d, e);
	}
	focus = () => !1;
	#f = /* @__PURE__ */ M(() => hf(this.page));
	get parts() {
		return U(this.#f);
	}
	set parts(e) {
		F(this.#f, e);
	}
	#p = /* @__PURE__ */ M(() => this.parts.steps);
	get steps() {
		return U(this.#p);
	}
	set steps(e) {
		F(this.#p, e);
	}
	#m = /* @__PURE__ */ M(() => this.steps[this.at] ?? null);
	get step() {
		return U(this.#m);
	}
	set step(e) {
		F(this.#m, e);
	}
	#h = /* @__PURE__ */ M(() => this.step === null ? [] : Pi(this.step).cells);
	get cells() {
		return U(this.#h);
	}
	set cells(e) {
		F(this.#h, e);
	}
	#g = /* @__PURE__ */ M(() => new Set(this.changed.map((e) => e.address)));
	get changedCells() {
		return U(this.#g);
	}
	set changedCells(e) {
		F(this.#g, e);
	}
	isStarted = !1;
	address = new lf();
	loading = null;
	constructor(e) {
		this.app = e, this.quiz = new _f(this), this.proof = new mf(e), this.look = new df({
			ask: (t, n) => e.api.cell(this.source ?? { name: "" }, this.view, t, n),
			fail: (t) => this.failure = e.told(t),
			aloud: (t) => e.aloud(t)
		});
	}
	get view() {
		return {
			lang: this.app.lang,
			precision: this.precision,
			carry: this.carry
		};
	}
	async start(e) {
		try {
			this.names = await this.app.api.examples(this.app.lang), this.opened ??= await this.app.api.opened();
		} catch (e) {
			this.failure = this.app.told(e);
			return;
		}
		await this.apply(e, this.sourceOf(e)), this.page !== null && this.sync(!1);
	}
	sourceOf({ data: e, example: t }) {
		if (e !== null) return { data: e };
		if (t !== null) return { name: t };
		let { opened: n } = this;
		return n?.data ? { data: n.data } : n?.kind === "example" && n.name !== "" ? { name: n.name } : { name: (this.names.find((e) => e.name === "kitten") ?? this.names[0])?.name ?? "kitten" };
	}
	async visit(e) {
		this.isStarted = !0;
		let t = await Bl(e);
		t.lang !== null && t.lang !== this.app.lang && !this.app.alone && await this.app.speak(t.lang), await this.start(t);
	}
	async apply(e, t) {
		let n = JSON.stringify(t) === JSON.stringify(this.source), r = e.precision === this.precision && e.carry === this.carry;
		this.precision = e.precision, this.carry = e.carry, this.layout = e.layout, this.look.cover !== e.cover && this.look.setCover(e.cover), e.seed === null && this.quiz.stop(!1), !n || !r || this.page === null ? (this.changed = [], await this.load(t, e)) : this.settle(e), e.seed !== null && this.quiz.seed !== e.seed && await this.quiz.begin(e.seed, e.blanks, !1);
	}
	async load(e, t = {}) {
		this.loading?.abort();
		let n = this.loading = new AbortController();
		this.busy = !0;
		try {
			let r = await this.app.api.example(e, this.view, n.signal);
			return this.put({
				source: e,
				page: r
			}, t), "done";
		} catch (e) {
			let t = this.app.told(e);
			return t === null ? "superseded" : (this.failure = t, "failed");
		} finally {
			this.loading === n && (this.busy = !1);
		}
	}
	async open(e) {
		this.quiz.stop(!1), this.player.pause(), this.history.clear(), this.changed = [], this.look.forget(), await this.load({ name: e }, {
			step: "",
			cell: ""
		}) === "done" && this.sync(!0);
	}
	put(e, t) {
		let n = t.step ?? this.step?.address ?? null;
		this.failure = null, this.source = e.source, this.page = e.page, this.look.renew(), this.settle({
			step: n,
			cell: t.cell ?? this.look.pinned
		}), this.proof.ask(this.source, this.view);
	}
	settle(e) {
		let { step: t, cell: n } = {
			...Ll,
			...e
		}, r = n === null ? -1 : gf(this.steps, n), i = t === null ? -1 : this.steps.findIndex((e) => e.address === t), a = this.steps.findIndex((e) => !e.given);
		this.at = [
			i,
			r,
			a
		].find((e) => e !== -1) ?? 0, this.look.pin(r === -1 ? this.cells[0] ?? null : n), this.fetch(!1);
	}
	fetch(e) {
		this.quiz.on ? this.look.drop() : this.look.fetch(e);
	}
	async setView(e) {
		let t = {
			precision: this.precision,
			carry: this.carry
		};
		e.precision !== void 0 && (this.precision = e.precision), e.carry !== void 0 && (this.carry = e.carry), e.lang !== void 0 && await this.app.speak(e.lang), this.source !== null && await this.load(this.source) === "failed" && (this.precision = t.precision, this.carry = t.carry), e.lang !== void 0 && (this.names = await this.app.api.examples(e.lang).catch(() => this.names)), this.sync(!0);
	}
	async edit(...e) {
		let t = this.current();
		if (t === null) return null;
		this.busy = !0;
		try {
			let n = await this.app.api.edit(t.source, this.view, e);
			return this.history.add(t), this.changed = n.changed, this.put({
				source: { data: n.data },
				page: n
			}, {}), this.sync(!0), this.app.aloud(this.app.say("web.changed", { n: n.changed.length })), null;
		} catch (e) {
			return this.app.told(e);
		} finally {
			this.busy = !1;
		}
	}
	current() {
		return this.source === null || this.page === null ? null : {
			source: this.source,
			page: this.page
		};
	}
	async turn(e) {
		let t = this.current(), n = t === null ? null : this.history[e](t);
		n !== null && (this.changed = [], await this.load(n.source) === "done" && this.sync(!0));
	}
	choose(e, t = !0) {
		this.look.pin(e);
		let n = gf(this.steps, e);
		n === -1 || this.layout !== "all" && this.isStaged(e) || (this.at = n), this.quiz.on && this.quiz.enter(e), this.fetch(t), this.sync(!1);
	}
	isStaged(e) {
		return this.step?.made_from.includes(Ro(e)) === !0 || this.cells.includes(e);
	}
	async follow(e) {
		this.choose(e), this.sync(!0), await sr(), this.focus(e);
	}
	go(e, t = !0) {
		e < 0 || e >= this.steps.length || (this.at = e, this.look.pin(this.cells[0] ?? null), this.fetch(t), this.sync(!0));
	}
	isCovered(e) {
		return !this.look.cover || this.step === null || this.step.given || this.quiz.on ? !1 : !this.look.revealed.has(e) && this.cells.includes(e);
	}
	reveal() {
		let { pinned: e } = this.look;
		e !== null && this.isCovered(e) && this.look.reveal(e);
	}
	setCover(e) {
		this.look.setCover(e), this.sync(!0);
	}
	setLayout(e) {
		this.layout = e, this.sync(!0);
	}
	async export(e) {
		if (this.source !== null) try {
			let t = await this.app.api.export(this.source, this.view, e);
			this.app.save(t), this.app.tell(this.app.say("web.exported", { name: t.name }));
		} catch (e) {
			this.failure = this.app.told(e);
		}
	}
	place() {
		let e = this.app.alone ? null : this.source;
		return {
			lang: this.app.alone ? null : this.app.lang,
			example: e !== null && "name" in e ? e.name : null,
			data: e !== null && "data" in e ? e.data : null,
			precision: this.precision,
			carry: this.carry,
			layout: this.layout,
			step: this.step?.address ?? null,
			cell: this.look.pinned,
			cover: this.look.cover,
			seed: this.quiz.seed,
			blanks: this.quiz.wanted
		};
	}
	sync(e) {
		this.app.route === "example" && this.app.isAddressed && this.address.write(this.place(), e);
	}
};
// src/widget.ts
function yf(e) {
	return e.replace(/:root\[data-theme="?(\w+)"?\]/g, ":host([data-theme=\"$1\"])").replace(/:root\b/g, ":host").replace(/(^|[},\s])body\s*\{/g, "$1:host {").replace(/@media\s*(?=\((max-)?width)/g, "@container ");
}
function bf({ model: e, el: t }) {
	let n = e.get("start"), r = document.createElement("div"), i = r.attachShadow({ mode: "open" }), a = document.createElement("style");
	a.textContent = yf([
		Ei,
		ji,
		Oi,
		Di,
		Ai,
		ki,
		Mi
	].join("\n"));
	let o = document.createElement("div");
	i.append(a, o), t.append(r);
	let s = af(e), c = new As(new _s("", s.fetch), n.lang, !1, r);
	c.route = n.page, c.unanswered = n.asleep;
	let l = document.createElement("p");
	l.className = "asleep", l.lang = n.lang, l.textContent = n.asleep, o.append(l);
	let u = cf(r, (e) => c.setGround(e)), d = {
		example: new vf(c),
		model: new cd(c)
	}, f = null;
	return c.speak(n.lang).then(() => {
		if (c.words.isEmpty) return l.classList.add("sure");
		l.remove(), f = Nr(rf, {
			target: o,
			props: {
				app: c,
				...d
			}
		}), d[n.page].visit(n.hash);
	}), () => {
		s.stop(), u(), f !== null && Lr(f), r.remove();
	};
}
var xf = { render: bf };
export { xf as default };

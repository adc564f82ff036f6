//! Notes the shapes of written types.

use super::Collector;
use crate::ids::{PathId, TypeId};
use crate::shapes::TypeShape;
use syn::{GenericArgument, PathArguments, Type, TypeParamBound};

impl Collector<'_> {
    /// Returns the shape of a type that was read already.
    pub(super) fn type_shape(&mut self, ty: &Type) -> TypeId {
        let shape = match ty {
            Type::Reference(one) => return self.type_shape(&one.elem),
            Type::Paren(one) => return self.type_shape(&one.elem),
            Type::Group(one) => return self.type_shape(&one.elem),
            Type::Path(path) => self.path_type(path),
            Type::ImplTrait(one) => self.bounds_type(one.bounds.iter()),
            Type::TraitObject(one) => self.bounds_type(one.bounds.iter()),
            Type::Array(one) => TypeShape::Sequence(self.type_shape(&one.elem)),
            Type::Slice(one) => TypeShape::Sequence(self.type_shape(&one.elem)),
            Type::Ptr(one) => TypeShape::Pointer(self.type_shape(&one.elem)),
            Type::Tuple(one) => {
                TypeShape::Tuple(one.elems.iter().map(|one| self.type_shape(one)).collect())
            }
            Type::FnPtr(_) | Type::Never(_) => TypeShape::Outside,
            _ => TypeShape::Unknown,
        };
        self.push_type(shape)
    }

    fn push_type(&mut self, shape: TypeShape) -> TypeId {
        self.result.types.push(shape);
        TypeId::new(self.result.types.len() - 1)
    }

    fn path_type(&mut self, ty: &syn::TypePath) -> TypeShape {
        let last = ty.path.segments.last();
        let Some(path) = self.path_at(last) else {
            return TypeShape::Unknown;
        };
        let arguments = match last.map(|last| &last.arguments) {
            Some(PathArguments::AngleBracketed(written)) => written
                .args
                .iter()
                .filter_map(|one| match one {
                    GenericArgument::Type(ty) => Some(self.type_shape(ty)),
                    GenericArgument::Const(_) => Some(self.push_type(TypeShape::Outside)),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        TypeShape::Path { path, arguments }
    }

    /// Returns the shape of `impl Trait` or `dyn Trait`; of an iterator whose items are written,
    /// that of a sequence of these.
    fn bounds_type<'b>(&mut self, bounds: impl Iterator<Item = &'b TypeParamBound>) -> TypeShape {
        let mut paths: Vec<PathId> = Vec::new();
        for bound in bounds {
            let TypeParamBound::Trait(bound) = bound else {
                continue;
            };
            let last = bound.path.segments.last();
            if let Some(item) = last.and_then(item_of_iterator) {
                return TypeShape::Sequence(self.type_shape(item));
            }
            paths.extend(self.path_at(last));
        }
        TypeShape::Bounds(paths)
    }
}

/// Returns the type `T` in `Iterator<Item = T>`.
fn item_of_iterator(segment: &syn::PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::AssocType(one) if one.ident == "Item" => Some(&one.ty),
        _ => None,
    })
}

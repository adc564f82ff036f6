use heck::ToSnakeCase;

mod names_of_columns_follow_the_style_of_the_database {
    use super::*;

    #[test]
    fn case_5() {
        assert_eq!("Größe derLieferung".to_snake_case(), "größe_der_lieferung");
    }
}
